"""What a release costs, and who keeps count.

`Neighbors` says which two data sets must look alike, `Loss` how alike, `Guarantee` whether a method
keeps its word, `Charge` one entry of a `Ledger`, and `Part` which disjoint share of the data the
charge touched.
"""

from dpcore.privacy.ledger import Charge, Ledger, charges_as_json, charges_from_json, composition
from dpcore.privacy.loss import Guarantee, Loss, Neighbors, Number, Part, exact, shown

__all__ = ["Charge", "Guarantee", "Ledger", "Loss", "Neighbors", "Number", "Part"]
__all__ += ["charges_as_json", "charges_from_json", "composition", "exact", "shown"]
