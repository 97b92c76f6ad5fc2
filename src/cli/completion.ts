import { UsageRefusal, runCommand } from '../commands/command.ts'
import { SUBCOMMANDS } from './subcommands.ts'

const USAGE = `Usage: parapet completion bash|zsh

Prints what the shell needs to complete commands, options and file names:

  source <(parapet completion bash)     in ~/.bashrc
  source <(parapet completion zsh)      in ~/.zshrc, after compinit`

const OPERANDS = { least: 1, most: 1, missing: 'Name a shell: bash or zsh.' }

/** Options are read from the help of the command, so that they are written in one place. */
const OPTIONS_OF = `"$1" "$2" --help 2>/dev/null | grep -oE -- '--[a-z][a-z0-9-]*' | sort -u`

await runCommand({ usage: USAGE, options: {}, operands: OPERANDS, refusedStatus: 2 }, async (_values, [shell = '']) => {
  const script = { bash: bashScript, zsh: zshScript }[shell]
  if (script === undefined) throw new UsageRefusal(`${shell}: there is a completion for bash and for zsh.`)
  return Promise.resolve(script())
})

function bashScript(): string {
  const names = SUBCOMMANDS.map(({ name }) => name).join(' ')
  return `_parapet_options() { ${OPTIONS_OF}; }
_parapet() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "help ${names}" -- "$word"))
  elif [ "\${COMP_WORDS[1]}" = help ]; then
    COMPREPLY=($(compgen -W "${names}" -- "$word"))
  elif [ "\${COMP_WORDS[1]}" = completion ]; then
    COMPREPLY=($(compgen -W "bash zsh" -- "$word"))
  elif [ "\${word#-}" != "$word" ]; then
    COMPREPLY=($(compgen -W "$(_parapet_options "\${COMP_WORDS[0]}" "\${COMP_WORDS[1]}")" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _parapet parapet`
}

function zshScript(): string {
  const described = SUBCOMMANDS.map(({ name, summary }) => `    '${name}:${summary.replaceAll(':', String.raw`\:`)}'`)
  return `#compdef parapet
_parapet_options() { ${OPTIONS_OF}; }
_parapet() {
  local -a commands options
  commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
  elif [[ $words[2] == help ]]; then
    _describe command commands
  elif [[ $words[2] == completion ]]; then
    compadd bash zsh
  elif [[ $words[CURRENT] == -* ]]; then
    options=(\${(f)"$(_parapet_options $words[1] $words[2])"})
    compadd -- $options
  else
    _files
  fi
}
compdef _parapet parapet`
}
