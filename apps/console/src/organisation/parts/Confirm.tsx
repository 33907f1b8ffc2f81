import Modal from 'antd/es/modal'
import { useState, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import './parts.css'

interface Props {
  readonly title: string
  /** What will happen, before it does. */
  readonly children: ReactNode
  /** The button names the object and the effect. */
  readonly action: string
  /** Why it cannot be done; null: it can. */
  readonly refusal?: string | null
  /** Has to be typed first. */
  readonly typed?: string
  readonly busy: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Shows the effects first, then does it; where nothing brings it back, the name has to be typed. */
export function Confirm(props: Props): ReactNode {
  const { title, children, action, refusal = null, typed, busy, onConfirm, onClose } = props
  const [words, setWords] = useState('')
  const isReady = refusal === null && (typed === undefined || words.trim() === typed)
  return (
    <Modal open title={title} width={480} footer={null} onCancel={onClose}>
      <form
        className="confirm"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !busy) onConfirm()
        }}
      >
        {children}
        {refusal !== null && <p role="alert">{t(refusal)}</p>}
        {refusal === null && typed !== undefined && (
          <label>
            {t('输入“{{name}}”以确认', { name: typed })}
            <input
              className="org-search"
              value={words}
              autoComplete="off"
              onChange={(event) => setWords(event.target.value)}
            />
          </label>
        )}
        <div className="org-foot">
          <Button onClick={onClose}>{t('取消')}</Button>
          <Button type="submit" look="primary" busy={busy} disabled={!isReady}>
            {action}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
