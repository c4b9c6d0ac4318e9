//! One declaration per table: [`table`] makes the struct, its reader, the list of its keys and its schema;
//! [`choice`] does the same for tables that come in kinds.
//!
//! The documentation of a key becomes the description in the schema, and its first sentence the hint when
//! the key is missing.

/// The field type of a key that is `required` or `optional`.
macro_rules! field_type {
    (required $ty:ty) => { $ty };
    (optional $ty:ty) => { Option<$ty> };
}
pub(crate) use field_type;

/// Reads a key that is `required` or `optional`.
macro_rules! field_read {
    (required $fields:ident $decoder:ident $info:expr) => {
        $fields.required($info, $decoder)
    };
    (optional $fields:ident $decoder:ident $info:expr) => {
        Some($fields.optional($info.name, $decoder))
    };
}
pub(crate) use field_read;

macro_rules! field_require {
    (required $object:ident $key:expr) => {
        $object.required.push(serde_json::Value::from($key))
    };
    (optional $object:ident $key:expr) => {};
}
pub(crate) use field_require;

/// Declares a table: its struct, reader, keys and schema.
macro_rules! table {
    (
        $(#[doc = $about:literal])*
        $name:ident as $title:literal {
            $( $(#[doc = $key_about:literal])* $key:ident: $mode:ident $ty:ty, )*
            $( + $shared:ident: $shared_ty:ty, )*
        }
        $( exclusive [ $($exclusive:ident),* ] )*
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug)]
        pub(crate) struct $name {
            $( $(#[doc = $key_about])* pub(crate) $key: $crate::decode::declare::field_type!($mode $ty), )*
            $( pub(crate) $shared: $shared_ty, )*
            /// Where it stands.
            pub(crate) place: $crate::problem::Place,
            /// Whether something in it could not be read.
            pub(crate) faulty: bool,
        }

        impl $crate::decode::Table for $name {
            const TITLE: &'static str = $title;
            const ABOUT: &'static [&'static str] = &[$($about),*];

            fn keys() -> Vec<$crate::decode::KeyInfo> {
                let own: &[$crate::decode::KeyInfo] = &[
                    $( $crate::decode::KeyInfo { name: stringify!($key), about: &[$($key_about),*] }, )*
                ];
                let shared: &[fn() -> Vec<$crate::decode::KeyInfo>] =
                    &[$( <$shared_ty as $crate::decode::Table>::keys ),*];
                own.iter().copied().chain(shared.iter().flat_map(|keys| keys())).collect()
            }

            fn take(
                fields: &mut $crate::decode::Fields<'_, '_>,
                decoder: &mut $crate::decode::Decoder<'_>,
            ) -> Option<Self> {
                let _ = &decoder;
                $(
                    let info = $crate::decode::KeyInfo { name: stringify!($key), about: &[$($key_about),*] };
                    let $key = $crate::decode::declare::field_read!($mode fields decoder info);
                )*
                $( let $shared = <$shared_ty as $crate::decode::Table>::take(fields, decoder); )*
                $( fields.exclude(&[$(stringify!($exclusive)),*], decoder); )*
                let (place, faulty) = (fields.place, fields.faulty);
                Some(Self { $($key: $key?,)* $($shared: $shared?,)* place, faulty })
            }

            fn state(&self) -> ($crate::problem::Place, bool) {
                (self.place, self.faulty)
            }

            fn describe(
                schema: &mut $crate::decode::Schema,
                object: &mut $crate::decode::ObjectSchema,
            ) {
                let _ = (&schema, &object);
                $(
                    let value = <$ty as $crate::decode::Decode>::schema(schema);
                    let about = $crate::decode::table::joined(&[$($key_about),*]);
                    object.property(stringify!($key), &about, value);
                    $crate::decode::declare::field_require!($mode object stringify!($key));
                )*
                $( <$shared_ty as $crate::decode::Table>::describe(schema, object); )*
                $(
                    let keys = [$(stringify!($exclusive)),*];
                    for (i, a) in keys.iter().enumerate() {
                        object.exclusive.extend(keys[i + 1..].iter().map(|b| [*a, *b]));
                    }
                )*
            }
        }

        impl $crate::decode::Decode for $name {
            fn decode(
                value: &$crate::decode::Raw<'_>,
                decoder: &mut $crate::decode::Decoder<'_>,
            ) -> Option<Self> {
                $crate::decode::decode_table(value, decoder)
            }

            fn schema(schema: &mut $crate::decode::Schema) -> serde_json::Value {
                schema.reference(stringify!($name), |schema| {
                    let mut object = $crate::decode::ObjectSchema::default();
                    <Self as $crate::decode::Table>::describe(schema, &mut object);
                    let about = $crate::decode::table::joined(&[$($about),*]);
                    object.finish(&about)
                })
            }
        }
    };
}
pub(crate) use table;

/// Declares a table that comes in kinds, told apart by its key `kind`.
macro_rules! choice {
    (
        $(#[doc = $about:literal])*
        $name:ident as $title:literal {
            $( $kind:literal => $variant:ident($ty:ty), )*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug)]
        pub(crate) enum $name {
            $(
                #[doc = concat!("`", $kind, "`")]
                $variant(Box<$ty>),
            )*
        }

        impl $name {
            const KINDS: &'static [&'static str] = &[$($kind),*];
        }

        impl $crate::decode::table::Placed for $name {
            fn place(&self) -> $crate::problem::Place {
                match self {
                    $( Self::$variant(table) => $crate::decode::Table::state(table.as_ref()).0, )*
                }
            }
        }

        impl $crate::decode::Decode for $name {
            fn decode(
                value: &$crate::decode::Raw<'_>,
                decoder: &mut $crate::decode::Decoder<'_>,
            ) -> Option<Self> {
                use $crate::decode::table::{decode_keys, kind_of};
                let place = decoder.place(value);
                let (table, kind) = kind_of(value, Self::KINDS, $title, decoder)?;
                match kind {
                    $(
                        $kind => {
                            let title = <$ty as $crate::decode::Table>::TITLE;
                            let keys = decode_keys::<$ty>(table, place, title, &["kind"], decoder);
                            keys.map(|keys| Self::$variant(Box::new(keys)))
                        }
                    )*
                    _ => {
                        $crate::decode::unknown_kind(table, kind, Self::KINDS, $title, decoder);
                        None
                    }
                }
            }

            fn schema(schema: &mut $crate::decode::Schema) -> serde_json::Value {
                schema.reference(stringify!($name), |schema| {
                    let mut kinds: Vec<serde_json::Value> = Vec::new();
                    $({
                        let mut object = $crate::decode::ObjectSchema::default();
                        let kind = serde_json::json!({ "const": $kind });
                        object.property("kind", "Which kind it is.", kind);
                        object.required.push(serde_json::Value::from("kind"));
                        <$ty as $crate::decode::Table>::describe(schema, &mut object);
                        let about = <$ty as $crate::decode::Table>::ABOUT;
                        kinds.push(object.finish(&$crate::decode::table::joined(about)));
                    })*
                    let about = $crate::decode::table::joined(&[$($about),*]);
                    serde_json::json!({ "description": about, "oneOf": kinds })
                })
            }
        }
    };
}
pub(crate) use choice;
