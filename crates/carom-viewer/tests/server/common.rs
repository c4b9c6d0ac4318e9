//! What the tests share: a server of their own, and a client that asks as a page does.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use carom_viewer::{Options, Subject, serve};
use serde_json::{Value, json};
use tungstenite::Message;

const TOKEN: &str = "0123456789abcdef";

/// A server that ends with this.
pub(crate) struct Server {
    pub(crate) host: String,
    end: Option<tokio::sync::oneshot::Sender<()>>,
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(end) = self.end.take() {
            let _ = end.send(());
        }
    }
}

pub(crate) fn server(subject: Subject) -> Server {
    let (tell, told) = mpsc::channel();
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    std::thread::spawn(move || {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(2).enable_all().build().expect("a runtime");
        let options = Options { subject, token: Some(TOKEN.into()), ..Options::default() };
        let ready = move |it: &carom_viewer::Served| tell.send(it.address.clone()).expect("heard");
        runtime
            .block_on(serve(options, ready, async move { drop(ended.await) }))
            .expect("it serves");
    });
    let address = told.recv_timeout(Duration::from_secs(10)).expect("it is ready");
    let host = address.trim_start_matches("http://").split('/').next().expect("a host").to_owned();
    Server { host, end: Some(end) }
}

impl Server {
    /// Status, headers and body of an answer.
    pub(crate) fn ask(&self, request: &str, headers: &str, body: &str) -> (u16, String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        let length = body.len();
        write!(
            stream,
            "{request} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .expect("it is sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it is answered");
        let split = answer.windows(4).position(|it| it == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&answer[..split]).into_owned();
        let status = head[9..12].parse().expect("a status");
        (status, head.to_lowercase(), answer[split + 4..].to_vec())
    }

    pub(crate) fn head(&self) -> String {
        format!("Host: {}\r\nAuthorization: Bearer {TOKEN}\r\n", self.host)
    }

    pub(crate) fn json(&self, request: &str, body: &str) -> Value {
        let (status, _, body) = self.ask(request, &self.head(), body);
        let text = String::from_utf8_lossy(&body).into_owned();
        assert!((200..300).contains(&status), "{request}: {status} {text}");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{request}: {error} in {text}"))
    }

    pub(crate) fn open(&self, wish: &Value) -> String {
        let opened = self.json("POST /api/runs", &wish.to_string());
        opened["run"].as_str().expect("a name").to_owned()
    }

    /// A socket to a run, and what it says until a status for which this holds.
    pub(crate) fn socket(&self, run: &str) -> Socket {
        let address = format!("ws://{}/api/runs/{run}/live?token={TOKEN}", self.host);
        let stream = TcpStream::connect(&self.host).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time");
        Socket(tungstenite::client(address, stream).expect("it is a socket").0, 0)
    }
}

/// A socket to a run, and how many orders were given that want an answer.
pub(crate) struct Socket(pub(crate) tungstenite::WebSocket<TcpStream>, u64);

impl Socket {
    pub(crate) fn say(&mut self, order: &Value) {
        self.0.send(Message::Text(order.to_string().into())).expect("it is sent");
    }

    /// What is said, until it is this.
    pub(crate) fn hear(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        while start.elapsed() < Duration::from_mins(1) {
            if let Message::Text(text) = self.0.read().expect("it is heard") {
                let said: Value = serde_json::from_str(&text).expect("it is JSON");
                if wanted(&said) {
                    return said;
                }
            }
        }
        panic!("it was not said");
    }

    /// Gives an order and waits for its answer.
    pub(crate) fn answer(&mut self, mut order: Value) -> Value {
        self.1 += 1;
        let id = self.1;
        order["id"] = json!(id);
        self.say(&order);
        self.hear(|said| said["id"] == id)
    }

    /// Gives an order that is carried out.
    pub(crate) fn done(&mut self, order: &Value) {
        let said = self.answer(order.clone());
        assert_eq!(said["say"], "done", "{order}: {said}");
    }

    /// Lets time pass; the status when it has.
    pub(crate) fn run_to(&mut self, time: f64) -> Value {
        self.say(&json!({ "do": "run_to", "time_s": time }));
        self.hear(|it| it["now_s"].as_f64() >= Some(time) && it["is_running"] == false)
    }

    pub(crate) fn run_to_the_end(&mut self) -> Value {
        self.say(&json!({ "do": "run_to", "time_s": 1e9 }));
        self.hear(|said| said["say"] == "status" && said["end"] == "complete")
    }
}

/// A folder that goes with the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("carom-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).expect("it is written");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
