"""What `strand doctor` looks at. What may crash is imported in other processes.

`wheels` reads which distributions own MuJoCo's files, `trials` runs what is to be tried in
processes of their own, `equipment` looks at rendering, windows and films, `extras` at optional
packages; `examination` brings their findings together.
"""
