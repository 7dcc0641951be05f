"""The pages: their names in the address, their titles, and the sections of the sidebar."""

FIRST = "overview"
LEARN = "Learn"

# Section -> (folder under pages/, title, icon), in the order of the sidebar.
PAGES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "Explore": (
        ("overview", "Overview", "home"),
        ("data", "Data", "table"),
        ("features", "Features", "filter_alt"),
        ("model", "Model", "model_training"),
    ),
    "Evaluate": (
        ("roc", "ROC", "show_chart"),
        ("ecdf", "ECDF", "stacked_line_chart"),
        ("calibration", "Calibration", "balance"),
        ("threshold", "Threshold", "tune"),
        ("groups", "Groups", "groups"),
        ("compare", "Compare", "compare_arrows"),
    ),
    "Release": (
        ("budget", "Budget", "account_balance_wallet"),
        ("release_desk", "Release desk", "outbox"),
        ("ledger", "Ledger", "receipt_long"),
    ),
    LEARN: (
        ("sparse_vector_lab", "Sparse vector lab", "science"),
        ("reusable_holdout", "Reusable holdout", "repeat"),
        ("federated_ecdf", "Federated ECDF", "hub"),
        ("audit", "Audit", "gavel"),
        ("reproductions", "Paper reproductions", "menu_book"),
    ),
}
# In Teach mode one entry stands for all of Release, and says what Private mode is.
DESK, IN_TEACH_MODE = "release_desk", "Release privately"
# What these pages show is about data of their own, not about those that are open.
WITHOUT_RECORDS = ("audit", "reproductions", "reusable_holdout", "sparse_vector_lab")


def title(page: str) -> str:
    """What the sidebar calls a page, by its name in the address."""
    listed = (entry for entries in PAGES.values() for entry in entries)
    return next(words for name, words, _ in listed if name == page)
