"""What each trust model promises, in the words that pages show."""

from __future__ import annotations

from collections.abc import Mapping

from dpcore.federated.curator import TrustedCurator
from dpcore.federated.function_secret_sharing import FunctionSecretSharing
from dpcore.federated.secure_aggregation import SecureAggregation
from dpcore.mechanisms import DyadicPrefixes, PolyaShare
from dpcore.privacy import Guarantee
from dpcore.registry import Method


def trust_models() -> Mapping[str, Method]:
    """Trust models by name; `run` forms the federation.

    Examples
    --------
    >>> list(trust_models())
    ['trusted-curator', 'secure-aggregation', 'function-secret-sharing']
    """
    return {method.name: method for method in (_CURATOR, _MASKED, _SHARED)}


_CURATOR = Method(
    name="trusted-curator",
    title="Trusted curator",
    summary="Everybody hands over their records; one party adds all the noise and sees everything.",
    run=TrustedCurator,
    guarantee=DyadicPrefixes.guarantee,
    reference="Barczewski, Mawass and Ramon, Theorem 3.1",
)
_MASKED = Method(
    name="secure-aggregation",
    title="Secure aggregation",
    summary="A server adds up masked counts, which hold shares of a noise that nobody knows.",
    run=SecureAggregation,
    guarantee=Guarantee.proven(
        f"Bonawitz et al. 2017, for who sees what; {PolyaShare.guarantee.reason}; "
        f"{DyadicPrefixes.guarantee.reason}"
    ),
    reference="Bonawitz et al. 2017; Barczewski, Mawass and Ramon, Section 4.1",
)
_SHARED = Method(
    name="function-secret-sharing",
    title="Function secret sharing",
    summary="Two servers that do not collude hold halves of keys, and each adds a full noise.",
    run=FunctionSecretSharing,
    guarantee=Guarantee.proven(
        "Boyle et al. 2021, for who sees what, if AES is a good permutation; "
        f"{DyadicPrefixes.guarantee.reason}"
    ),
    reference="Boyle, Gilboa and Ishai 2015; Barczewski, Mawass and Ramon, Section 4.2",
)
