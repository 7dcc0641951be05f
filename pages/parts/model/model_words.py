"""What models are called on the Model page: no Streamlit in here."""

from __future__ import annotations

from dpcore.registry import Method
from dpcore.studies.workflow import WorkflowResult
from pages.parts.model import model_fields

KINDS = {"naive-bayes": "Naive Bayes", "logistic": "Logistic"}
PEERS = {
    "naive-bayes": "scikit-learn's naive Bayes",
    "logistic": "scikit-learn's logistic regression",
}


def method_of(result: WorkflowResult) -> Method:
    """How the model was trained."""
    return model_fields.every_method()[result.config.model.method]


def adjective(method: Method) -> str:
    """What a released model may be called: nothing that a broken method draws is private."""
    return "private" if method.guarantee.holds else "noisy"


def at_epsilon(method: Method, epsilon: str) -> str:
    """The loss in words; a broken method only claims it."""
    return f"epsilon {epsilon}" if method.guarantee.holds else f"a claimed epsilon {epsilon}"


def peer(kind: str) -> str:
    """Which classifier without privacy is meant."""
    return f"{PEERS[kind]} without privacy"
