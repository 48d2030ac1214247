//! Source text in which each mutant of a file can be switched on.
//!
//! An operator or a guard becomes `(match at(first) { 2.. => (as it was), 1 => (changed), _ => (changed) })`, a body
//! begins with `match at(first) { 0 => return …, _ => {} }`, an arm gets a guard. Only one mutant is alive at a time, so
//! the changed texts hold no switches themselves.

use std::collections::HashMap;
use std::ops::Range;

use anyhow::Result;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::list::{Fate, Mutant, Point};

/// How a place is switched.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Expression,
    Body,
    /// An arm; whether it has a guard, which is then the range.
    Arm(bool),
}

/// A place with its mutants, whose numbers follow each other.
struct Place {
    form: Form,
    range: Range<usize>,
    mutants: Vec<usize>,
}

/// A file of the library, and where its mutants lie.
pub struct Source {
    pub file: String,
    text: String,
    places: Vec<Place>,
    /// The word `const` and the body behind it.
    const_functions: Vec<(Range<usize>, Range<usize>)>,
}

/// A text to put in, and the mutant that it is.
type Piece = (String, Option<usize>);

/// Where in the changed text an error speaks of these mutants, and what they are then.
pub struct Blame {
    pub range: Range<usize>,
    pub mutants: Vec<usize>,
    pub fate: Fate,
}

impl Source {
    /// Finds the places of a file's mutants and numbers them from `next` on.
    pub fn new(file: &str, text: String, mutants: &mut [Mutant], next: &mut u32) -> Result<Source> {
        let mut by_start: HashMap<(String, Point), Vec<usize>> = HashMap::new();
        for (i, mutant) in mutants.iter().enumerate().filter(|(_, mutant)| mutant.file == file) {
            by_start.entry((mutant.genre.clone(), mutant.start)).or_default().push(i);
        }
        let mut finder = Finder {
            by_start,
            text: &text,
            fixed: false,
            places: Vec::new(),
            const_functions: Vec::new(),
            mutants,
        };
        finder.visit_file(&syn::parse_file(&text)?);
        let Finder { places, const_functions, .. } = finder;
        for place in &places {
            for (number, &mutant) in (*next..).zip(&place.mutants) {
                (mutants[mutant].number, mutants[mutant].place) = (number, *next);
            }
            *next += place.mutants.len() as u32;
        }
        Ok(Source { file: file.to_owned(), text, places, const_functions })
    }

    /// The file as it is.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text with all mutants that are ready, and whom to blame for errors in it.
    pub fn render(&self, mutants: &[Mutant]) -> (String, Vec<Blame>) {
        // What is put in before which byte: at the same byte, first what ends there, then what begins; outer places
        // around inner ones, of which the later one is inside if they are of the same length.
        let mut inserts = Vec::new();
        let mut text = self.text.clone().into_bytes();
        for (i, place) in self.places.iter().enumerate() {
            let ready: Vec<usize> =
                place.mutants.iter().copied().filter(|&m| mutants[m].fate == Fate::Ready).collect();
            if ready.is_empty() {
                continue;
            }
            let (before, after) = self.switch(place, &ready, mutants);
            let (length, order) = (place.range.len() as isize, i as isize);
            inserts.push(((place.range.start, true, -length, order), i, before));
            inserts.push(((place.range.end, place.range.is_empty(), length, -order), i, after));
            for (word, _) in
                self.const_functions.iter().filter(|(_, body)| body.contains(&place.range.start))
            {
                text[word.clone()].fill(b' ');
            }
        }
        inserts.sort_by_key(|insert| insert.0);
        let text = String::from_utf8(text).expect("spaces in the place of letters");

        let (mut out, mut blames, mut done) = (String::new(), Vec::new(), 0);
        let mut open: HashMap<usize, usize> = HashMap::new();
        for ((position, ..), place, pieces) in inserts {
            out.push_str(&text[done..position]);
            done = position;
            let begin = *open.entry(place).or_insert(out.len());
            for (piece, mutant) in pieces {
                let start = out.len();
                out.push_str(&piece);
                let mutants = Vec::from_iter(mutant);
                blames.push(Blame { range: start..out.len(), mutants, fate: Fate::Unviable });
            }
            // An error at a place, but in none of its changes, is the switch's own.
            let mutants = self.places[place].mutants.clone();
            blames.push(Blame { range: begin..out.len(), mutants, fate: Fate::NotRun });
        }
        out.push_str(&text[done..]);
        blames.retain(|blame| !blame.mutants.is_empty());
        (out, blames)
    }

    /// What stands before and after a place, with the mutant that each piece is.
    fn switch(
        &self,
        place: &Place,
        ready: &[usize],
        mutants: &[Mutant],
    ) -> (Vec<Piece>, Vec<Piece>) {
        let first = mutants[place.mutants[0]].place;
        let at = format!("crate::mutant::at({first})");
        let piece = |text: &str| (text.to_owned(), None);
        match place.form {
            Form::Arm(true) => (vec![(format!("{at} != 0 && ("), None)], vec![piece(")")]),
            Form::Arm(false) => (vec![(format!(" if {at} != 0"), None)], Vec::new()),
            Form::Body => {
                let change = |&m: &usize| {
                    (
                        format!(
                            " {} => return {},",
                            mutants[m].number - first,
                            mutants[m].replacement
                        ),
                        Some(m),
                    )
                };
                let mut before = vec![(format!(" match {at} {{"), None)];
                before.extend(ready.iter().map(change));
                before.push(piece(" _ => {} }"));
                (before, Vec::new())
            }
            Form::Expression => {
                let change = |&m: &usize| {
                    let (start, end) =
                        (offset(&self.text, mutants[m].start), offset(&self.text, mutants[m].end));
                    let (head, tail) =
                        (&self.text[place.range.start..start], &self.text[end..place.range.end]);
                    let number = match Some(&m) == ready.last() {
                        true => "_".to_owned(),
                        false => (mutants[m].number - first).to_string(),
                    };
                    (format!(", {number} => ({head}{}{tail})", mutants[m].replacement), Some(m))
                };
                let mut after = vec![piece(")")];
                after.extend(ready.iter().map(change));
                after.push(piece(" })"));
                (vec![(format!("(match {at} {{ {}.. => (", place.mutants.len()), None)], after)
            }
        }
    }
}

/// The byte at which a line's column begins.
pub fn offset(text: &str, (line, column): Point) -> usize {
    let before: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    before + text[before..].chars().take(column - 1).map(char::len_utf8).sum::<usize>()
}

struct Finder<'a> {
    by_start: HashMap<(String, Point), Vec<usize>>,
    text: &'a str,
    mutants: &'a mut [Mutant],
    /// Whether what is visited is worked out by the compiler.
    fixed: bool,
    places: Vec<Place>,
    const_functions: Vec<(Range<usize>, Range<usize>)>,
}

impl Finder<'_> {
    fn take(&mut self, genre: &str, at: proc_macro2::Span) -> Vec<usize> {
        let start = at.start();
        self.by_start
            .remove(&(genre.to_owned(), (start.line, start.column + 1)))
            .unwrap_or_default()
    }

    fn add(&mut self, form: Form, range: Range<usize>, mutants: Vec<usize>) {
        if mutants.is_empty() {
            return;
        }
        for &mutant in mutants.iter().filter(|_| !self.fixed) {
            self.mutants[mutant].fate = Fate::Ready;
        }
        self.places.push(Place { form, range, mutants });
    }

    fn fixed(&mut self, visit: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.fixed, true);
        visit(self);
        self.fixed = before;
    }

    fn function(&mut self, sig: &syn::Signature, block: &syn::Block) {
        if let Some(word) = sig.constness {
            self.const_functions.push((word.span.byte_range(), block.span().byte_range()));
        }
        let Some(first) = block.stmts.first() else { return };
        let bodies = self.take("FnValue", first.span());
        // What `-> impl Trait` stands for is one type.
        let opaque = self.text[sig.output.span().byte_range()].contains("impl ");
        let start = block.brace_token.span.open().byte_range().end;
        match opaque {
            true => self.fixed(|finder| finder.add(Form::Body, start..start, bodies)),
            false => self.add(Form::Body, start..start, bodies),
        }
    }
}

/// Whether `let` is a part of this condition: it has no value of its own.
fn binds(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(both) => binds(&both.left) || binds(&both.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr_binary(&mut self, node: &'ast syn::ExprBinary) {
        let mutants = self.take("BinaryOperator", node.op.span());
        if binds(&node.left) || binds(&node.right) {
            // `let` may stand between `&&` alone.
            mutants.iter().for_each(|&mutant| self.mutants[mutant].fate = Fate::Unviable);
        } else {
            self.add(Form::Expression, node.span().byte_range(), mutants);
        }
        visit::visit_expr_binary(self, node);
    }

    fn visit_expr_unary(&mut self, node: &'ast syn::ExprUnary) {
        let mutants = self.take("UnaryOperator", node.op.span());
        self.add(Form::Expression, node.span().byte_range(), mutants);
        visit::visit_expr_unary(self, node);
    }

    fn visit_expr_struct(&mut self, node: &'ast syn::ExprStruct) {
        let mutants =
            node.fields.iter().flat_map(|field| self.take("StructField", field.span())).collect();
        self.add(Form::Expression, node.span().byte_range(), mutants);
        visit::visit_expr_struct(self, node);
    }

    fn visit_arm(&mut self, node: &'ast syn::Arm) {
        let mutants = self.take("MatchArm", node.span());
        let end = node.pat.span().byte_range().end;
        match &node.guard {
            Some((_, guard)) => {
                self.add(Form::Arm(true), guard.span().byte_range(), mutants);
                let mutants = self.take("MatchArmGuard", guard.span());
                self.add(Form::Expression, guard.span().byte_range(), mutants);
            }
            None => self.add(Form::Arm(false), end..end, mutants),
        }
        visit::visit_arm(self, node);
    }

    fn visit_item_fn(&mut self, node: &'ast syn::ItemFn) {
        self.function(&node.sig, &node.block);
        visit::visit_item_fn(self, node);
    }

    fn visit_impl_item_fn(&mut self, node: &'ast syn::ImplItemFn) {
        self.function(&node.sig, &node.block);
        visit::visit_impl_item_fn(self, node);
    }

    fn visit_trait_item_fn(&mut self, node: &'ast syn::TraitItemFn) {
        if let Some(block) = &node.default {
            self.function(&node.sig, block);
        }
        visit::visit_trait_item_fn(self, node);
    }

    fn visit_item_const(&mut self, node: &'ast syn::ItemConst) {
        self.fixed(|finder| visit::visit_item_const(finder, node));
    }

    fn visit_item_static(&mut self, node: &'ast syn::ItemStatic) {
        self.fixed(|finder| visit::visit_item_static(finder, node));
    }

    fn visit_impl_item_const(&mut self, node: &'ast syn::ImplItemConst) {
        self.fixed(|finder| visit::visit_impl_item_const(finder, node));
    }

    fn visit_trait_item_const(&mut self, node: &'ast syn::TraitItemConst) {
        self.fixed(|finder| visit::visit_trait_item_const(finder, node));
    }

    fn visit_expr_const(&mut self, node: &'ast syn::ExprConst) {
        self.fixed(|finder| visit::visit_expr_const(finder, node));
    }

    fn visit_expr_repeat(&mut self, node: &'ast syn::ExprRepeat) {
        self.visit_expr(&node.expr);
        self.fixed(|finder| finder.visit_expr(&node.len));
    }

    fn visit_type(&mut self, node: &'ast syn::Type) {
        self.fixed(|finder| visit::visit_type(finder, node));
    }

    fn visit_generic_argument(&mut self, node: &'ast syn::GenericArgument) {
        self.fixed(|finder| visit::visit_generic_argument(finder, node));
    }

    fn visit_variant(&mut self, node: &'ast syn::Variant) {
        self.fixed(|finder| visit::visit_variant(finder, node));
    }

    fn visit_pat(&mut self, node: &'ast syn::Pat) {
        self.fixed(|finder| visit::visit_pat(finder, node));
    }
}
