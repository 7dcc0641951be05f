"""Where randomness comes from.

`SystemNoise` draws from the operating system's entropy, through OpenDP's samplers; releases of real
data use it. `SeededNoise` draws from a seed that anyone can repeat; simulations use it, and nothing
drawn from it can be labelled private.
"""

from dpcore.noise.seeded import SeededNoise
from dpcore.noise.source import NoiseSource
from dpcore.noise.system import SystemNoise

__all__ = ["NoiseSource", "SeededNoise", "SystemNoise"]
