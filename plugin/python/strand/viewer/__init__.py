"""The window in which models are looked at, played and pulled at.

The window itself is C++ (`plugin/viewer`), one library for each version of MuJoCo, which `library`
opens when it is needed. `opening` makes models of files, and with `film` films of simulations
outside MuJoCo; `display` finds or starts a display; `view` brings them together.
"""
