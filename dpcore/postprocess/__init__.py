"""What may be done to released values at no further cost: arrays in, arrays out, no noise.

Nothing here can reach the data, the noise or the ledger; a machine checks the imports.
"""

from dpcore.postprocess.monotone import (
    concave_majorant,
    isotonic,
    monotone_rates,
    probit_path,
    project_to_simplex,
)
from dpcore.postprocess.smoothing import binormal_curve

__all__ = ["binormal_curve", "concave_majorant", "isotonic", "monotone_rates", "probit_path"]
__all__ += ["project_to_simplex"]
