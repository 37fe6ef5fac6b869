"""The exact path solver: every ν with a duality gap, clusters from exact ties.

Modules, from the outside in:

``solver``    Eq. (1) in, :class:`ccc.Path` out
``walk``      along ascending ν: predict, solve, fuse, certify, split
``start``     the solution at ν = 0, where the walk begins
``nodes``     the working partition and its reduced problem
``flows``     dual flows inside merged clusters
``ground``    column sparsity: fusion with a node that is pinned at zero
``alm``       augmented Lagrangian and line search at one ν
``newton``    Newton directions
``pairs``     the fusion penalty: far and near pairs
``losses``    the smooth part: multinomial, linear
``kernels``   compiled loops over pairs
"""

from ccc.solvers.exact.solver import solve_path

__all__ = ["solve_path"]
