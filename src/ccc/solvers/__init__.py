"""The solvers of Eq. (1), one per module, all with one signature.

``solve_path(problem, nus, tol, progress=False, keep_flows=False)`` returns a
:class:`ccc.results.Path` in the order of ``nus`` and, if asked, the dual flows of every ν.
"""

from ccc.solvers import admm, exact
from ccc.solvers.conic import CONIC

__all__ = ["SOLVERS"]

SOLVERS = {"exact": exact.solve_path, "admm": admm.solve_path} | CONIC
