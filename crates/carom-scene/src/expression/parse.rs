//! From words to a tree, by precedence climbing.

use std::ops::Range;
use std::sync::Arc;

use super::functions::{CONSTANTS, is_function};
use super::lex::{Token, tokens};
use super::{Expression, ExpressionError, Value};

/// How deep brackets, signs and choices may be nested: far more than anyone writes, far less than the stack holds.
const MAX_DEPTH: usize = 64;

/// How many operations may build on one another: a long sum is a tree as high, which evaluation descends.
const MAX_HEIGHT: u16 = 256;

/// A part of an expression and its place in the text.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) span: Range<usize>,
    height: u16,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Value(Value),
    Variable(String),
    Unary(&'static str, Box<Node>),
    Binary(&'static str, Box<[Node; 2]>),
    Call(String, Vec<Node>),
    Vector(Box<[Node; 3]>),
    Part(Box<Node>, String),
    /// Condition, then, else.
    If(Box<[Node; 3]>),
}

pub(super) fn parse(text: &str) -> Result<Expression, ExpressionError> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0, n_nodes: 0, names: Vec::new() };
    if parser.peek() == &Token::End {
        return Err(ExpressionError::new(0..text.len(), "the expression is empty")
            .hint("write a number, or an expression such as \"2*pi\""));
    }
    let root = parser.expression(0)?;
    if parser.peek() != &Token::End {
        return Err(parser.unexpected("an operator or the end"));
    }
    Ok(Expression { root, names: parser.names, n_nodes: parser.n_nodes })
}

/// How tightly a binary operator binds; larger is tighter.
fn precedence(sign: &str) -> Option<u8> {
    Some(match sign {
        "||" => 1,
        "&&" => 2,
        "==" | "!=" => 3,
        "<" | "<=" | ">" | ">=" => 4,
        "+" | "-" => 5,
        "*" | "/" | "%" => 6,
        _ => return None,
    })
}

struct Parser<'a> {
    tokens: &'a [(Token, Range<usize>)],
    at: usize,
    depth: usize,
    n_nodes: u32,
    names: Vec<String>,
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn span(&self) -> Range<usize> {
        self.tokens[self.at].1.clone()
    }

    fn advance(&mut self) -> (Token, Range<usize>) {
        let token = self.tokens[self.at].clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(found) if *found == sign);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), ExpressionError> {
        if self.take(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn unexpected(&self, expected: &str) -> ExpressionError {
        let span = self.span();
        match self.peek() {
            Token::End => ExpressionError::new(
                span,
                format!("the expression stops here, but {expected} should follow"),
            ),
            Token::Sign("^") => {
                ExpressionError::new(span, "`^` is no operator").hint("powers are written `x**2`")
            }
            Token::Sign("=") => ExpressionError::new(span, "`=` is no operator")
                .hint("equality is tested with `==`"),
            Token::Sign(sign) => {
                ExpressionError::new(span, format!("expected {expected}, found `{sign}`"))
            }
            Token::Name(name) => {
                ExpressionError::new(span, format!("expected {expected}, found `{name}`"))
            }
            Token::Number(_) => {
                ExpressionError::new(span, format!("expected {expected}, found a number"))
            }
            Token::Text(_) => {
                ExpressionError::new(span, format!("expected {expected}, found a text"))
            }
        }
    }

    fn node(&mut self, kind: Kind, span: Range<usize>) -> Result<Node, ExpressionError> {
        let tallest = |nodes: &[Node]| nodes.iter().map(|node| node.height).max().unwrap_or(0);
        let height = 1 + match &kind {
            Kind::Value(_) | Kind::Variable(_) => 0,
            Kind::Unary(_, inner) | Kind::Part(inner, _) => inner.height,
            Kind::Binary(_, sides) => tallest(sides.as_slice()),
            Kind::Call(_, arguments) => tallest(arguments),
            Kind::Vector(nodes) | Kind::If(nodes) => tallest(nodes.as_slice()),
        };
        if height > MAX_HEIGHT {
            let message = format!("more than {MAX_HEIGHT} operations build on one another");
            return Err(ExpressionError::new(span, message)
                .hint("split the expression over several parameters"));
        }
        self.n_nodes += 1;
        Ok(Node { kind, span, height })
    }

    fn deeper<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<T, ExpressionError>,
    ) -> Result<T, ExpressionError> {
        if self.depth == MAX_DEPTH {
            let message = format!("the expression is nested deeper than {MAX_DEPTH} levels");
            return Err(
                ExpressionError::new(self.span(), message).hint("split it over several parameters")
            );
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Operators that bind at least as tightly as `least`.
    fn expression(&mut self, least: u8) -> Result<Node, ExpressionError> {
        self.deeper(|parser| {
            let mut left = parser.unary()?;
            while let Token::Sign(sign) = *parser.peek() {
                let Some(binds) = precedence(sign).filter(|binds| *binds >= least) else { break };
                parser.advance();
                let right = parser.expression(binds + 1)?;
                let span = left.span.start..right.span.end;
                left = parser.node(Kind::Binary(sign, Box::new([left, right])), span)?;
            }
            Ok(left)
        })
    }

    fn unary(&mut self) -> Result<Node, ExpressionError> {
        for sign in ["-", "+", "!"] {
            let start = self.span().start;
            if self.take(sign) {
                let inner = self.deeper(Self::unary)?;
                let span = start..inner.span.end;
                return self.node(Kind::Unary(sign, Box::new(inner)), span);
            }
        }
        self.power()
    }

    fn power(&mut self) -> Result<Node, ExpressionError> {
        let base = self.postfix()?;
        if !self.take("**") {
            return Ok(base);
        }
        let exponent = self.deeper(Self::unary)?;
        let span = base.span.start..exponent.span.end;
        self.node(Kind::Binary("**", Box::new([base, exponent])), span)
    }

    fn postfix(&mut self) -> Result<Node, ExpressionError> {
        let mut inner = self.primary()?;
        while self.take(".") {
            let (token, span) = (self.peek().clone(), self.span());
            let Token::Name(part) = token else { return Err(self.unexpected("`x`, `y` or `z`")) };
            self.advance();
            let span = inner.span.start..span.end;
            inner = self.node(Kind::Part(Box::new(inner), part), span)?;
        }
        Ok(inner)
    }

    fn primary(&mut self) -> Result<Node, ExpressionError> {
        let span = self.span();
        match self.peek().clone() {
            Token::Number(value) => {
                self.advance();
                self.node(Kind::Value(Value::Number(value)), span)
            }
            Token::Text(text) => {
                self.advance();
                self.node(Kind::Value(Value::Text(Arc::from(text))), span)
            }
            Token::Name(name) => {
                self.advance();
                self.named(name, span)
            }
            Token::Sign("(") => {
                self.advance();
                let mut inner = self.expression(0)?;
                inner.span = span.start..self.span().end;
                self.expect(")")?;
                Ok(inner)
            }
            Token::Sign("[") => {
                self.advance();
                self.vector(span.start)
            }
            Token::Sign(_) | Token::End => Err(self.unexpected("a number, a name or `(`")),
        }
    }

    fn vector(&mut self, start: usize) -> Result<Node, ExpressionError> {
        let x = self.expression(0)?;
        self.expect(",")?;
        let y = self.expression(0)?;
        self.expect(",")?;
        let z = self.expression(0)?;
        let end = self.span().end;
        self.expect("]")?;
        self.node(Kind::Vector(Box::new([x, y, z])), start..end)
    }

    fn named(&mut self, name: String, span: Range<usize>) -> Result<Node, ExpressionError> {
        match name.as_str() {
            "if" => return self.choice(span.start),
            "true" => return self.node(Kind::Value(Value::Bool(true)), span),
            "false" => return self.node(Kind::Value(Value::Bool(false)), span),
            _ => {}
        }
        if self.take("(") {
            return self.call(name, span.start);
        }
        if let Some((_, value)) = CONSTANTS.iter().find(|(constant, _)| *constant == name) {
            return self.node(Kind::Value(Value::Number(*value)), span);
        }
        self.mention(&name);
        self.node(Kind::Variable(name), span)
    }

    fn call(&mut self, name: String, start: usize) -> Result<Node, ExpressionError> {
        let mut arguments = Vec::new();
        let mut end = self.span().end;
        if !self.take(")") {
            loop {
                arguments.push(self.expression(0)?);
                end = self.span().end;
                if !self.take(",") {
                    break;
                }
            }
            if !self.take(")") {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
        if !is_function(&name) {
            self.mention(&name);
        }
        self.node(Kind::Call(name, arguments), start..end)
    }

    fn mention(&mut self, name: &str) {
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
    }

    /// What follows `if`.
    fn choice(&mut self, start: usize) -> Result<Node, ExpressionError> {
        let condition = self.expression(0)?;
        self.expect("{")?;
        let then = self.expression(0)?;
        self.expect("}")?;
        if self.peek() != &Token::Name("else".to_owned()) {
            return Err(self.unexpected("`else { … }`"));
        }
        self.advance();
        let otherwise = if self.peek() == &Token::Name("if".to_owned()) {
            let start = self.advance().1.start;
            self.deeper(|parser| parser.choice(start))?
        } else {
            self.expect("{")?;
            let otherwise = self.expression(0)?;
            self.expect("}")?;
            otherwise
        };
        let span = start..self.tokens[self.at.saturating_sub(1)].1.end;
        self.node(Kind::If(Box::new([condition, then, otherwise])), span)
    }
}
