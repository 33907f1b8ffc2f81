import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import './form.css'

/** Offers to restore text that was typed here and not saved. */
export function DraftOffer({ onTakeUp, onDiscard }: { onTakeUp: () => void; onDiscard: () => void }): ReactNode {
  return (
    <div className="form-draft">
      <output>{t('继续上次的编辑？')}</output>
      <Button look="quiet" onClick={onTakeUp}>
        {t('继续')}
      </Button>
      <Button look="quiet" onClick={onDiscard}>
        {t('丢弃')}
      </Button>
    </div>
  )
}
