//! What a fit keeps on the disk, so that one that was cut off goes on.

use super::adam::Progress;
use crate::files;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The fits of one run of [`super::tune`] and how far each has come. Without a
/// file it remembers nothing.
pub struct Journal<'a> {
    path: Option<&'a Path>,
    page: Page,
    /// The file holds something else, which the next pass will take the place of.
    replaces: bool,
}

#[derive(Serialize, Deserialize)]
struct Page {
    /// What decides how the fits end.
    ingredients: String,
    /// By the fits' names.
    fits: BTreeMap<String, Progress>,
}

impl<'a> Journal<'a> {
    /// What the file says about a fit of these ingredients.
    pub fn open(path: Option<&'a Path>, ingredients: String) -> Journal<'a> {
        let found = path.and_then(|path| fs::read(path).ok());
        let page = found
            .as_deref()
            .and_then(|bytes| serde_json::from_slice(bytes).ok())
            .filter(|page: &Page| page.ingredients == ingredients);
        Journal {
            path,
            replaces: found.is_some() && page.is_none(),
            page: page.unwrap_or_else(|| Page {
                ingredients,
                fits: BTreeMap::new(),
            }),
        }
    }

    /// What the user should know about the file, if anything.
    pub fn note(&self) -> Option<String> {
        let path = self.path?.display();
        if self.replaces {
            return Some(format!("{path} is of another fit; this one begins anew"));
        }
        let (name, fit) = self
            .page
            .fits
            .iter()
            .min_by_key(|(_, fit)| fit.curve.len())?;
        let passes = fit.curve.len();
        Some(format!("{path}: going on after pass {passes} of {name}"))
    }

    /// How far the fit of that name has come.
    pub fn begun(&self, name: &str) -> Option<Progress> {
        self.page.fits.get(name).cloned()
    }

    /// Notes how far it has come.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn keep(&mut self, name: &str, progress: &Progress) -> Result<()> {
        let Some(path) = self.path else {
            return Ok(());
        };
        self.page.fits.insert(name.to_owned(), progress.clone());
        files::replace(path, &serde_json::to_vec(&self.page)?)
    }
}
