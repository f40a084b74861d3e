"""strand bench: run times of Strand beside its peers."""

from typing import Annotated

import typer

from strand.cli.output import JsonFile, PlotFile, finish, number_list, report_progress

app = typer.Typer(no_args_is_help=True, help="Measures run times, side by side.")


@app.callback()
def _bench() -> None:
    """Measures run times, side by side.

    Example: strand bench overhead --segments 40,80 --json overhead.json
    """


@app.command()
def overhead(
    segments: Annotated[str, typer.Option(help="Numbers of links.")] = "40,80,140,180",
    repeats: Annotated[int, typer.Option(help="Pairs of runs to take medians of.")] = 200,
    cases: Annotated[
        str, typer.Option(help="Any of lhb, cantilever, hanging (steps), call (up to 1000).")
    ] = "lhb,cantilever,hanging,call",
    json: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """Overhead of the plugin in a step of MuJoCo; exits with 0 only if it is within the limits.

    Limits: 3 % of the step of the same chain without the plugin from 60 links on, and 6 us per call
    for 60 links (in proportion for more). low, high: 95 % interval of the median.

    Example: strand bench overhead --segments 40,80 --json overhead.json
    """
    from strand_studies.bench import overhead as benchmark

    sizes = number_list("segments", segments, int, least=3)
    with report_progress("bench overhead") as progress:
        report = benchmark.run(sizes, repeats, cases.split(","), progress)
    finish(report, json, plot)


@app.command()
def native(
    segments: Annotated[
        str | None,
        typer.Option(help="Numbers of links. Default: 10,20,40 (accuracy), 25,50,100 (cost)."),
    ] = None,
    repeats: Annotated[int, typer.Option(help="Rounds to take medians of.")] = 31,
    cases: Annotated[
        str, typer.Option(help="Any of accuracy, cost, stability.")
    ] = "accuracy,cost,stability",
    peers: Annotated[str, typer.Option(help="Any of strand, cable, flex.")] = "strand,cable,flex",
    json: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """Strand beside MuJoCo's own cable (MuJoCo 3.17) and 1D flex (MuJoCo 4).

    Installs each peer's MuJoCo with pip, once, in a separate environment under $STRAND_CACHE
    (~/.cache/strand). ratio: to Strand's step in the same round; low, high: its 95 % interval.

    Example: strand bench native --segments 10,20,40 --cases accuracy --json native.json
    """
    from strand_studies.bench import native as benchmark

    sizes = number_list("segments", segments, int, least=3)
    with report_progress("bench native") as progress:
        report = benchmark.run(sizes, repeats, cases.split(","), peers.split(","), progress)
    finish(report, json, plot)


@app.command()
def table2(
    case: Annotated[
        list[str] | None, typer.Option(help="a1, a2, b1, b2 or c; repeatable. Default: all.")
    ] = None,
    repeats: Annotated[int, typer.Option(help="Rounds, of which the fastest counts.")] = 3,
    peers: Annotated[
        str, typer.Option(help="Any of strand, pyelastica, dismech.")
    ] = "strand,pyelastica,dismech",
    whole: Annotated[
        bool,
        typer.Option("--whole", help="Run PyElastica to the end (minutes), for its accuracy."),
    ] = False,
    json: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """The implicit core beside PyElastica 1.0.0 and DisMech in the experiments of DisMech's paper.

    a1, a2: a swinging cantilever of 1e5 and 1e7 Pa; b1, b2: a hanging helix of 5 and 1 mm; c: a rod
    pushed over a floor. Every code uses the step that the paper gives for it; DisMech's seconds are
    quoted, measured on a machine like this one. PyElastica is installed with pip, once, under
    $STRAND_CACHE (~/.cache/strand). Exits with 0 only if Strand is 15 times as fast as DisMech and
    380 times as fast as PyElastica (a1, a2, b2), and its tip moves correctly.

    Example: strand bench table2 --case a1 --case b2 --whole --json table2.json
    """
    from strand_studies.bench.table2 import CASES, comparison

    cases = case or list(CASES)
    with report_progress("bench table2") as progress:
        report = comparison.run(cases, repeats, peers.split(","), whole, progress)
    finish(report, json, plot)


@app.command()
def scaling(
    nodes: Annotated[str, typer.Option(help="Numbers of nodes.")] = "50,200,1000,5000,20000,100000",
    repeats: Annotated[int, typer.Option(help="Runs of each, of which the fastest counts.")] = 3,
    json: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """Cost of a step and memory by number of nodes, at fixed edge length and Newton iterations.

    Exits with 0 only if the cost grows at most with the power 1.2 of the nodes, from 1000 on; the
    limit is above 1 because large rods leave the caches.

    Example: strand bench scaling --nodes 1000,10000,100000 --plot scaling.png
    """
    from strand_studies.bench import scaling as benchmark

    sizes = number_list("nodes", nodes, int, least=4)
    with report_progress("bench scaling") as progress:
        report = benchmark.run(sizes, repeats, progress)
    finish(report, json, plot)


@app.command()
def shells(
    case: Annotated[
        list[str] | None,
        typer.Option(help="hinge, mid_edge, parachute, manta or rod; repeatable. Default: all."),
    ] = None,
    repeats: Annotated[int, typer.Option(help="Runs of each, of which the fastest counts.")] = 3,
    json: JsonFile = None,
) -> None:
    """Shells, and rods with shells, beside dismech-python at equal steps and a tighter tolerance.

    dismech-python's seconds are quoted, measured on a machine like this one. Exits with 0 only if
    Strand is 25 times as fast in each case.

    Example: strand bench shells --case hinge --case manta --json shells.json
    """
    from strand_studies.bench import shells as benchmark

    with report_progress("bench shells") as progress:
        report = benchmark.run(case or list(benchmark.CASES), repeats, progress)
    finish(report, json)


@app.command()
def stepping(
    steps: Annotated[str, typer.Option(help="Steps per period.")] = "50,100,200",
    json: JsonFile = None,
) -> None:
    """Accuracy, damping, cost and stability of the core's time stepping methods.

    Exits with 0 only if BDF2 is of second order and neither it nor backward Euler creates energy.

    Example: strand bench stepping --steps 50,100 --json stepping.json
    """
    from strand_studies.bench import stepping as benchmark

    counts = number_list("steps", steps, int, least=10)
    with report_progress("bench stepping") as progress:
        report = benchmark.run(counts, progress)
    finish(report, json)


@app.command()
def shell_scaling(
    triangles: Annotated[
        str, typer.Option(help="Approximate numbers of triangles.")
    ] = "500,2000,8000,20000,50000",
    json: JsonFile = None,
) -> None:
    """Cost of a Newton iteration by a shell's number of triangles.

    Exits with 0 only if it grows no faster than a sheet's sparse factorisation.

    Example: strand bench shell-scaling --triangles 500,2000,8000
    """
    from strand_studies.bench import shell_scaling as benchmark

    sizes = number_list("triangles", triangles, int, least=50)
    with report_progress("bench shell-scaling") as progress:
        report = benchmark.run(sizes, progress)
    finish(report, json)


@app.command()
def vine(
    bodies: Annotated[
        int, typer.Option(help="Number of bodies in the comparison with OSQP, even.")
    ] = 30,
    sizes: Annotated[str, typer.Option(help="Numbers of bodies.")] = "30,100,300,1000,2000",
    repeats: Annotated[int, typer.Option(help="Runs of each, of which the fastest counts.")] = 5,
    peer: Annotated[bool, typer.Option(help="Run OSQP, too.")] = True,
    json: JsonFile = None,
) -> None:
    """A step of a growing robot beside OSQP on the same quadratic programs; cost by bodies.

    OSQP (1.1.3, installed with pip, once, under $STRAND_CACHE) gets the largest tolerance with
    which the robot is nowhere off by more than 1e-3 mm. Exits with 0 only if OSQP takes 15 times as
    long warm-started and 40 times cold, a step of 30 bodies takes less than 50 us, and the cost
    grows at most with the power 1.1 of the bodies.

    Example: strand bench vine --bodies 30 --json vine.json
    """
    from strand_studies.bench import vines as benchmark

    counts = number_list("sizes", sizes, int, least=2)
    with report_progress("bench vine") as progress:
        report = benchmark.run(bodies, counts, repeats, peer, progress)
    finish(report, json)


@app.command()
def batch(
    rods: Annotated[int, typer.Option(help="Number of rods, each with its own stiffness.")] = 32,
    nodes: Annotated[int, typer.Option(help="Nodes of each rod.")] = 101,
    threads: Annotated[
        int | None, typer.Option(help="Threads in the pool. Default: all cores.")
    ] = None,
    repeats: Annotated[int, typer.Option(help="Rounds to take medians of.")] = 3,
    json: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """Independent rods on all cores: a pool of threads beside one thread.

    Exits with 0 only if both give bitwise equal results.

    Example: strand bench batch --rods 64 --json batch.json
    """
    from strand_studies.bench import batch as benchmark

    with report_progress("bench batch") as progress:
        report = benchmark.run(rods, nodes, threads, repeats, progress)
    finish(report, json, plot)


@app.command()
def cosserat(
    experiments: Annotated[
        str | None, typer.Option(help="Names, separated by commas. Default: all.")
    ] = None,
    solvers: Annotated[
        str | None,
        typer.Option(help="Names, separated by commas. Default: Strand's and all installed."),
    ] = None,
    segments: Annotated[
        str | None, typer.Option(help="Numbers of elements. Default: the experiment's.")
    ] = None,
    json: JsonFile = None,
) -> None:
    r"""Strand's plugin and core in cosseratbench, beside the solvers that come with it.

    cosseratbench is an independent benchmark of rod solvers: pip install "strand\[bench]".
    Its own solvers run where their libraries are installed (PyElastica; MuJoCo before 4). Exits
    with 0 only if no run of Strand breaks down.

    Example: strand bench cosserat --experiments cantilever,catenary --segments 20,40
    """
    from strand_studies.bench.cosserat import comparison

    sizes = number_list("segments", segments, int, least=2)
    names = [None if text is None else text.split(",") for text in (experiments, solvers)]
    with report_progress("bench cosserat") as progress:
        report = comparison.run(names[0], names[1], sizes, progress)
    finish(report, json)


@app.command()
def warp(
    worlds: Annotated[
        str | None,
        typer.Option(help="Numbers of worlds. Default: 1,16,64; on a GPU 1,2,4 ... 8192."),
    ] = None,
    links: Annotated[
        str | None, typer.Option(help="Numbers of links. Default: 20,40; on a GPU 20,40,80.")
    ] = None,
    peers: Annotated[
        str, typer.Option(help="Any of strand, flex (both in Warp), c (Strand on all cores).")
    ] = "strand,flex,c",
    repeats: Annotated[int, typer.Option(help="Measurements to take medians of.")] = 5,
    json: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """Cables in many worlds on MuJoCo Warp beside MuJoCo in C and MuJoCo's flex in Warp.

    Runs on Warp's default device: a GPU, if there is one, with a step as a CUDA graph. A rope held
    at one end falls. Needs warp-lang and mujoco-warp (see the page on MuJoCo Warp). Exits with 0
    only if nodes are within 0.001 of the length of those in C after 50 steps.

    Example: strand bench warp --worlds 1,64 --links 20 --json warp.json
    """
    from strand_studies.bench import warp as benchmark

    counts = number_list("worlds", worlds, int, least=1)
    sizes = number_list("links", links, int, least=3)
    with report_progress("bench warp") as progress:
        report = benchmark.run(counts, sizes, peers.split(","), repeats, progress)
    finish(report, json, plot)
