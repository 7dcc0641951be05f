"""Randomised functions with a proof: one file each, arrays and numbers only.

A mechanism is built from public numbers (its privacy loss and a sensitivity argued by the caller);
its private argument enters `draw`, which only `dpcore.release` may call.
"""

from dpcore.mechanisms.exponential import Exponential
from dpcore.mechanisms.geometric import Geometric
from dpcore.mechanisms.laplace import Laplace
from dpcore.mechanisms.mechanism import Mechanism

__all__ = ["Exponential", "Geometric", "Laplace", "Mechanism"]
