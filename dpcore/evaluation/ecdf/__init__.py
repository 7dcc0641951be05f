"""Private distribution functions: one file per method, each ending in ``METHOD``.

A method is a function ``run(counts, *, loss, gate, **parameters) -> FloatArray`` of the exact
number of records in each cell of a public grid, shape (points,). It returns noisy numbers of
records up to each grid point, of the same shape, and it must be linear: the result is the truth
plus noise whose law depends on the number of cells, epsilon and the parameters only. Smoothing and
bands rely on that, and every method gets the same ones. Under replace neighbours the sum of
`counts` is public.
"""

from dpcore.registry import Registry

ecdf_methods = Registry("dpcore.evaluation.ecdf", "ECDF method")
