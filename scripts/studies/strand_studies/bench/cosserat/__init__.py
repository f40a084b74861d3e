"""Strand in cosseratbench, a benchmark of rod solvers (https://pypi.org/project/cosseratbench).

`plugin.StrandMuJoCo` and `core.StrandCore` are its solvers `strand-mujoco` and `strand-core`;
`comparison` runs its experiments with them and with the other solvers that are installed.
"""
