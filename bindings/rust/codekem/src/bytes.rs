// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Where bytes of a fixed length are kept: on the heap with the feature `alloc`, in place without.

use core::fmt::Debug;
use core::marker::PhantomData;
use hybrid_array::{Array, ArraySize};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// An array of bytes.
pub trait Bytes: AsRef<[u8]> + AsMut<[u8]> + Clone + Debug + Eq + Send + Sync + 'static {
    #[doc(hidden)]
    const LENGTH: usize;
    #[doc(hidden)]
    fn zeroed() -> Self;
    /// Looks at bytes that have the right length as an array.
    #[doc(hidden)]
    fn of(bytes: &[u8]) -> &Self;
}

const LENGTHS: &str = "lengths are the type's";

impl<const N: usize> Bytes for [u8; N] {
    const LENGTH: usize = N;

    fn zeroed() -> Self {
        [0; N]
    }

    fn of(bytes: &[u8]) -> &Self {
        bytes.try_into().expect(LENGTHS)
    }
}

impl<U: ArraySize> Bytes for Array<u8, U>
where
    U::ArrayType<u8>: Send + Sync,
{
    const LENGTH: usize = U::USIZE;

    fn zeroed() -> Self {
        Self::default()
    }

    fn of(bytes: &[u8]) -> &Self {
        bytes.try_into().expect(LENGTHS)
    }
}

/// On the heap as a slice, so that long arrays need not pass over the stack.
#[cfg(feature = "alloc")]
type Place<T> = (alloc::boxed::Box<[u8]>, PhantomData<T>);
#[cfg(not(feature = "alloc"))]
type Place<T> = (T, PhantomData<T>);

fn place<T: Bytes>() -> Place<T> {
    #[cfg(feature = "alloc")]
    let memory = alloc::vec![0; T::LENGTH].into_boxed_slice();
    #[cfg(not(feature = "alloc"))]
    let memory = T::zeroed();
    (memory, PhantomData)
}

/// Bytes that anybody may see.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Public<T: Bytes>(Place<T>);

/// Bytes that are wiped when they are dropped. On the heap they never move, so nothing is left
/// where they were.
pub(crate) struct Secret<T: Bytes>(Place<T>);

macro_rules! common {
    ($kind:ident) => {
        impl<T: Bytes> $kind<T> {
            pub fn zeroed() -> Self {
                $kind(place())
            }

            /// Copies bytes that have the right length.
            pub fn copied(bytes: &[u8]) -> Self {
                let mut new = Self::zeroed();
                new.as_mut().copy_from_slice(bytes);
                new
            }

            pub fn get(&self) -> &T {
                T::of(self.as_ref())
            }
        }

        impl<T: Bytes> AsRef<[u8]> for $kind<T> {
            fn as_ref(&self) -> &[u8] {
                self.0.0.as_ref()
            }
        }

        impl<T: Bytes> AsMut<[u8]> for $kind<T> {
            fn as_mut(&mut self) -> &mut [u8] {
                self.0.0.as_mut()
            }
        }
    };
}
common!(Public);
common!(Secret);

impl<T: Bytes> Clone for Secret<T> {
    fn clone(&self) -> Self {
        Self::copied(self.as_ref())
    }
}

impl<T: Bytes> Drop for Secret<T> {
    fn drop(&mut self) {
        self.as_mut().zeroize();
    }
}

impl<T: Bytes> ZeroizeOnDrop for Secret<T> {}
