// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Compiles only if codekem-sys declares what bindgen reads in the headers: two functions fit in
//! one array if they take and return the same.
#![allow(warnings, clippy::all)] // in what bindgen writes

use codekem_sys as sys;
use core::mem::offset_of;

include!(concat!(env!("OUT_DIR"), "/types.rs"));

mod functions {
    use codekem_sys::{codekem_kem, codekem_options, codekem_random_function, codekem_status};
    include!(concat!(env!("OUT_DIR"), "/functions.rs"));
}

include!(concat!(env!("OUT_DIR"), "/same.rs"));
