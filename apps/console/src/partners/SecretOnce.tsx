import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'

interface Props {
  /** Says that it is shown once. */
  readonly text: string
  readonly values: readonly string[]
  readonly onClose: () => void
}

/** Secrets that the platform keeps as hashes only: they are shown until the person has kept them. */
export function SecretOnce({ text, values, onClose }: Props): ReactNode {
  return (
    <output className="feed-made">
      {text}
      {values.map((value) => (
        <code key={value}>{value}</code>
      ))}
      <Button look="quiet" onClick={onClose}>
        {t('我已保存')}
      </Button>
    </output>
  )
}
