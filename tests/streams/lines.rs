//! Lines without any sense, or with too much.

use proptest::prelude::*;

pub(crate) fn line() -> impl Strategy<Value = String> {
    let words = proptest::sample::select(vec![
        "START 5",
        "START 15",
        "BEGIN",
        "TURN 2,2",
        "TURN 1,1",
        "BOARD",
        "YXBOARD",
        "DONE",
        "1,1,1",
        "2,2,2",
        "3,3,3",
        "7,7",
        "SWAP2BOARD",
        "YXBLOCK",
        "YXNBEST 3",
        "YXBALANCETWO",
        "YXSEARCHDEFEND",
        "YXHASHLOAD",
        "YXLIBTODB",
        "YXDBMERGE",
        "YXDBFIX",
        "YXDELETEDATABASEALL wlinstep",
        "STOP",
        "RESTART",
        "TAKEBACK 1,1",
        "INFO rule 4",
        "INFO max_node 50",
        "INFO show_detail 3",
        "INFO pondering 1",
        "INFO strength 20",
        "yxedittextdatabase \"a\"",
        "PLAY 3,3",
        "YXSWAP2STEP2",
        "YXSHOWFORBID",
        "\u{0}\u{ff}",
        "ABOUT",
    ]);
    prop_oneof![
        9 => (words, prop_oneof![Just("\n"), Just("\r\n"), Just("\r"), Just(" "), Just("")])
            .prop_map(|(word, end)| format!("{word}{end}")),
        1 => "\\PC{0,30}\n",
    ]
}
