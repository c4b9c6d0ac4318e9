//! Where measured data lies.

use std::path::Path;

use anyhow::Context as _;
use carom_study::validate::DataFolder;

/// The folder that was named, or that the variable names, or that lies beside the clone.
pub(crate) fn data_folder(named: Option<&Path>) -> anyhow::Result<Option<DataFolder>> {
    if let Some(path) = named {
        return Ok(Some(DataFolder::named(path)?));
    }
    match std::env::var_os("CAROM_DATA") {
        Some(path) if !path.is_empty() => {
            let folder = DataFolder::named(Path::new(&path));
            Ok(Some(folder.context("the variable CAROM_DATA")?))
        }
        _ => {
            // The clone that one stands in, or else the one that this program was built in.
            let here = std::env::current_dir().context("where am I?")?;
            let program = || DataFolder::beside(&std::env::current_exe().ok()?);
            Ok(DataFolder::beside(&here).or_else(program))
        }
    }
}
