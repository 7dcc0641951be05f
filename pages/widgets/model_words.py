"""What models are called on the Model page: no Streamlit in here."""

from dpcore.registry import Method
from dpcore.study import Truth, WorkflowResult, sections
from dpcore.study.baselines import REFERENCE
from pages.session.text import OPTIONS, said

KINDS = {"classifier": "Default", "naive-bayes": "Naive Bayes", "logistic": "Logistic"}
IN_WORDS = OPTIONS["model"]
PEERS = OPTIONS["model of scikit-learn"]


def every_method() -> dict[str, Method]:
    """The methods of all kinds by name; "auto" is that of the default."""
    listed = {kind: sections.trainers(kind) for kind in KINDS}
    return listed["naive-bayes"] | listed["logistic"] | listed["classifier"]


def method_of(result: WorkflowResult) -> Method:
    """How the model was trained."""
    return sections.trainer(result.config.model.kind, result.config.model.method)


def at_epsilon(method: Method, epsilon: str) -> str:
    """The loss in words; a broken method only claims it."""
    return f"epsilon {epsilon}" if method.guarantee.holds else f"a claimed epsilon {epsilon}"


def peer(kind: str) -> str:
    """Which classifier of the same kind is timed beside the private ones."""
    return f"{PEERS[kind]} without privacy"


def noise_off(name: str) -> str:
    """The same model or method, trained as it is but with the noise off."""
    return f"{name}, noise off"


def compared(truth: Truth) -> str:
    """What privacy costs the model, and what another model reaches: which figure is which."""
    _, noise_free, reference = truth.models
    costs = noise_costs(truth)
    lost = f"noise costs {costs:.3f}" if costs > 0.0 else "here noise costs nothing"
    told = noise_free.auc, lost, REFERENCE, reference.auc
    return said("compared with others").format(*told)


def noise_costs(truth: Truth) -> float:
    """The AUC lost to noise: the difference of the two figures as they are written."""
    return round(truth.models[1].auc, 3) - round(truth.model.auc, 3)
