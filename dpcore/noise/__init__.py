"""Where randomness comes from.

`SystemNoise` draws from the operating system's entropy, through OpenDP's samplers; releases of real
data use it. `SeededNoise` draws from a seed that anyone can repeat; simulations use it, and nothing
drawn from it can be labelled private. `NoiseOff` draws nothing, to show what the noise costs.
"""

from dpcore.noise.seeded import NoiseOff, SeededNoise
from dpcore.noise.system import NoiseSource, SystemNoise

__all__ = ["NoiseOff", "NoiseSource", "SeededNoise", "SystemNoise"]
