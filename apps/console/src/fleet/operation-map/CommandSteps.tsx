import { commandKindLabels, type Command } from '@saddle/contract/fleet/commands.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { wordsOfReason } from '#kit/i18n/reason.ts'
import { stepsOf, type CommandStep } from './steps.ts'

/** The progress of one command, step by step, each with its time. */
export function CommandSteps({ command }: { command: Command }) {
  const { kind, reason, operatorName, failure } = command
  const by = [operatorName ?? '', reason]
    .filter((part) => part !== '')
    .map(wordsOfReason)
    .join(' · ')
  return (
    <div className="om-command" data-command-state={command.state}>
      <p className="om-command-title">
        <strong>{t(commandKindLabels[kind])}</strong>
        {by !== '' && <span>{by}</span>}
      </p>
      <ol className="om-steps">
        {stepsOf(command).map((step) => (
          <Step key={step.label} step={step} />
        ))}
      </ol>
      {failure !== null && failure !== '' && (
        <p className="om-command-failure" role="alert">
          {t(failure)}
        </p>
      )}
    </div>
  )
}

function Step({ step: { label, status, at } }: { step: CommandStep }) {
  return (
    <li data-status={status} {...(status === 'active' && { 'aria-current': 'step' as const })}>
      <span className="om-step-dot" aria-hidden="true" />
      <span className="om-step-label">{t(label)}</span>
      <time className="om-step-time" title={at === null ? undefined : dateTime(at)}>
        {at === null ? '' : dateTime(at).slice(11)}
      </time>
    </li>
  )
}
