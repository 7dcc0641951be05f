"""The release desk: ask, see the plan and a preview, release once, take it away."""

from dpcore.data.reading.source import whole_file
from dpcore.desk.plan import BudgetPlan, ReleasePlan, plan
from dpcore.desk.preview import Preview, epsilon_for, preview
from dpcore.desk.reading import canonical_digest, read_blindly, read_records, recognise
from dpcore.desk.release import release, releases
from dpcore.desk.released import Released, bundle, table_csv
from dpcore.desk.request import Request, request_id
from dpcore.desk.simulate import Assumed, simulated_dataset, simulated_predictions
from dpcore.publications import Publication, publications, publications_of

__all__ = ["Assumed", "BudgetPlan", "Preview", "Publication", "ReleasePlan", "Released", "Request"]
__all__ += ["bundle", "canonical_digest", "epsilon_for", "plan", "preview", "publications"]
__all__ += ["publications_of", "read_blindly", "read_records", "recognise", "release", "releases"]
__all__ += ["request_id", "simulated_dataset", "simulated_predictions", "table_csv", "whole_file"]
