// `mrc-explorer completion`: prints a script that completes commands in a shell. The script calls
// `mrc-explorer complete`, which finds the words in the tree of commands.
import { Argument, type Command, type Option } from "commander";
import { suggestedValues } from "./parameters.ts";
import type { ProcessIO } from "./process-io.ts";

/** A word that may come next, and its description. */
type Suggestion = readonly [word: string, description: string];

const plain = (words: readonly string[] = []): readonly Suggestion[] =>
  words.map((word) => [word, ""]);

/** Suggests the words that may follow; none if the shell should offer file names instead. */
function suggestionsAfter(
  words: readonly string[],
  current: string,
  program: Command,
  env: ProcessIO["env"],
): readonly Suggestion[] {
  let command = program;
  let option: Option | undefined;
  for (const word of words) {
    // The word after an option that takes a value is the value.
    if (option?.required) option = undefined;
    else
      option = command.options.find((candidate) =>
        [candidate.short, candidate.long].includes(word),
      );
    const child = command.commands.find((each) => [each.name(), ...each.aliases()].includes(word));
    if (option === undefined && child !== undefined) command = child;
  }
  if (option?.required) {
    // Keeps the columns before the last comma, which are complete.
    const chosen = current.slice(0, current.lastIndexOf(",") + 1);
    const values = option.argChoices ?? suggestedValues.get(option)?.(env);
    return plain(values?.map((value) => `${chosen}${value}`));
  }
  const help = command.createHelp();
  return [
    ...help
      .visibleCommands(command)
      .map((child): Suggestion => [child.name(), child.summary() || child.description()]),
    ...command.registeredArguments.flatMap(({ argChoices }) => plain(argChoices)),
    ...help
      .visibleOptions(command)
      .map(
        ({ flags, description }): Suggestion => [/--[\w-]+/.exec(flags)?.[0] ?? "", description],
      ),
  ];
}

/**
 * The scripts. Each calls `complete` with the word at the cursor, prefixed with `=`, and the words
 * before it. The shell then shows the suggestions that begin like the word at the cursor or, if
 * there are none, file names.
 */
const shells = {
  bash: (
    name: string,
  ) => `# Completes ${name} in bash. Load it with: eval "$(${name} completion bash)"
_mrc_explorer() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$("\${COMP_WORDS[0]}" complete -- "=\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null | cut -f 1)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _mrc_explorer ${name}`,
  zsh: (name: string) => `#compdef ${name}
# Completes ${name} in zsh. Load it after compinit with: eval "$(${name} completion zsh)"
_mrc_explorer() {
  local -a suggestions
  suggestions=("\${(@f)$("\${words[1]}" complete -- "=\${words[CURRENT]}" "\${(@)words[2,CURRENT-1]}" 2>/dev/null)}")
  suggestions=("\${(@)\${(@)suggestions:#}/$'\\t'/:}")
  (( \${#suggestions} )) && _describe '${name}' suggestions || _files
}
compdef _mrc_explorer ${name}`,
  fish: (
    name: string,
  ) => `# Completes ${name} in fish. Load it with: ${name} completion fish | source
function __mrc_explorer_complete
  set -l words (commandline -opc)
  set -l suggestions ($words[1] complete -- "="(commandline -ct) $words[2..] 2>/dev/null)
  string join \\n -- $suggestions
  test -n "$suggestions"; or __fish_complete_path (commandline -ct)
end
complete -c ${name} -f -a '(__mrc_explorer_complete)'`,
  powershell: (
    name: string,
  ) => `# Completes ${name} in PowerShell. Load it with: ${name} completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName '${name}' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  & '${name}' complete -- "=$wordToComplete" @words 2>$null | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    $word, $description = $_ -split "\`t", 2
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $(if ($description) { $description } else { $word }))
  }
}`,
} as const;

export function addCompletion(program: Command, io: ProcessIO): void {
  program
    .command("completion")
    .summary("Print a script that completes commands in your shell")
    .description(
      `Prints a script for your shell. Load it in its startup file: eval "$(${program.name()} completion bash)"`,
    )
    .addArgument(new Argument("<shell>", "your shell").choices(Object.keys(shells)))
    .action((shell: keyof typeof shells) => {
      io.stdout.write(`${shells[shell](program.name())}\n`);
    });
  program
    .command("complete", { hidden: true })
    .description("Prints the words that may follow a command's earlier words, with descriptions.")
    .argument("<current>")
    .argument("[words...]")
    .action((current: string, words: readonly string[]) => {
      for (const suggestion of suggestionsAfter(words, current.slice(1), program, io.env))
        io.stdout.write(`${suggestion.join("\t").replace(/\t$/, "")}\n`);
    });
}
