//! `carom view`: the viewer in a browser.

use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};
use carom_scene::built_in;
use carom_viewer::{Options, Served, Subject, page, serve};

use crate::Outcome;
use crate::args::VERSION;
use crate::interrupt::Asking;
use crate::output::{answer, colors, talk};
use crate::scene::{is_recording, missing};

/// Watch, question and play with a simulation, in a page of the browser
///
/// A server starts on this machine, prints its address and opens it where there is a browser. Without SCENE the page has all
/// built-in scenes; a scene runs while you watch, and can be pushed, changed and saved; a recording is played back.
/// Nobody else can reach it unless --bind is given, and nobody without the token of the address. Ctrl-C ends it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  carom view                    all built-in scenes
  carom view dominos            one of them
  carom view toss.toml          a scene of yours
  carom view run.mcap --no-open a recording; only print the address")]
pub(crate) struct ViewOptions {
    /// Scene file, built-in scene, or recording
    scene: Option<String>,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Port to listen on [default: any that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Address to listen on, instead of this machine's own: others can then reach it, and what is sent is not encrypted
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Token of the address, instead of a new one; a page that is open finds a server that was started anew by it
    #[arg(long, value_name = "TEXT", value_parser = token)]
    token: Option<String>,
}

/// Letters of a token at least: 64 bits where they are hexadecimal.
const LEAST_TOKEN: usize = 16;

fn token(text: &str) -> Result<String, String> {
    let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric());
    if is_plain && text.len() >= LEAST_TOKEN {
        return Ok(text.to_owned());
    }
    Err(format!("must be at least {LEAST_TOKEN} letters and digits"))
}

/// How often it is asked whether Ctrl-C was pressed.
const PATIENCE: Duration = Duration::from_millis(100);

pub(crate) fn run(options: &ViewOptions) -> anyhow::Result<Outcome> {
    let subject = subject(options.scene.as_deref())?;
    if !page::is_there() {
        bail!(
            "the page of the viewer is not in this program\n\
             hint: in the project's folder, `{}`, and build carom again",
            page::HOW
        );
    }
    if !options.bind.is_loopback() {
        talk("warning: others can reach this address, and what is sent is not encrypted");
    }
    let serving = Options {
        subject,
        bind: options.bind,
        port: options.port,
        token: options.token.clone(),
        version: VERSION.to_owned(),
    };
    let asking = Asking::new();
    let flag = asking.flag();
    let ended = async move {
        while !flag.load(std::sync::atomic::Ordering::Relaxed) {
            tokio::time::sleep(PATIENCE).await;
        }
    };
    let opens = !options.no_open;
    let ready = move |served: &Served| {
        // The address is the answer; whoever cannot print it has nothing to open either.
        drop(answer(&served.address));
        if opens && !open_browser(&served.address) {
            talk("no browser could be opened; open the address yourself");
        }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start the server")?;
    runtime.block_on(serve(serving, ready, ended))?;
    runtime.shutdown_timeout(Duration::from_secs(1));
    Ok(Outcome::Done)
}

fn subject(scene: Option<&str>) -> anyhow::Result<Subject> {
    let Some(name) = scene else { return Ok(Subject::Gallery) };
    let path = Path::new(name);
    if is_recording(name) {
        if !path.is_file() {
            return Err(missing(name));
        }
        // Better told here than on an empty page.
        carom_record::Reader::open(path).with_context(|| name.to_owned())?;
        return Ok(Subject::Recording(PathBuf::from(name)));
    }
    if path.is_file() {
        // Mistakes can be mended while the page is open; those who look at the terminal see them, too.
        let source = carom_scene::Source::Path(path.to_owned());
        let options = carom_scene::Options::default();
        let loaded = carom_scene::load(&source, &options, &carom_scene::DiskFiles);
        if loaded.problems.has_errors() {
            talk(loaded.problems.render(colors()).trim_end());
        }
        return Ok(Subject::File(PathBuf::from(name)));
    }
    let known = built_in(name).map(|it| Subject::BuiltIn(it.name.to_owned()));
    known.ok_or_else(|| missing(name))
}

/// Asks the system to show an address; false if it has nothing to show it with.
fn open_browser(address: &str) -> bool {
    let programs: &[&[&str]] = if cfg!(target_os = "macos") {
        &[&["open"]]
    } else if cfg!(windows) {
        &[&["cmd", "/C", "start", ""]]
    } else {
        &[&["xdg-open"], &["wslview"]]
    };
    // Without a display there is no browser, but a text browser may want the terminal.
    let has_display = cfg!(any(target_os = "macos", windows))
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    has_display
        && programs.iter().any(|words| {
            let mut command = Command::new(words[0]);
            command.args(&words[1..]).arg(address);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().is_ok()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_be_seen_is_known_by_its_name() {
        assert!(matches!(subject(None), Ok(Subject::Gallery)));
        assert!(matches!(subject(Some("coins")), Ok(Subject::BuiltIn(name)) if name == "coins"));
        let told = subject(Some("coinz")).expect_err("there is none").to_string();
        assert!(told.contains("coins"), "{told}");
        assert!(subject(Some("nothing.mcap")).is_err());
        assert!(token("short").is_err() && token("0123456789abcdef").is_ok());
    }
}
