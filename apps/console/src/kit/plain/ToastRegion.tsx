import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { dismiss, holdToasts, releaseToasts, useToasts } from '#kit/notify.ts'
import './plain.css'

const signs = { success: '✓', info: 'i', warning: '!', error: '×' } as const

/** Shows what `notify` says; errors interrupt a screen reader, the others wait. */
export function ToastRegion(): ReactNode {
  const toasts = useToasts()
  return (
    // Pointing at the messages only makes them wait; nothing is done by it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className="toasts"
      aria-label={t('消息')}
      onPointerEnter={holdToasts}
      onPointerLeave={releaseToasts}
      onFocus={holdToasts}
      onBlur={releaseToasts}
    >
      {toasts.map(({ id, kind, title, text, action }) => (
        <div key={id} className="toast" data-kind={kind} role={kind === 'error' ? 'alert' : 'status'}>
          <span className="toast-sign" aria-hidden="true">
            {signs[kind]}
          </span>
          <div className="toast-words">
            {title !== undefined && <strong>{title}</strong>}
            <span>{text}</span>
          </div>
          {action !== undefined && (
            <button
              type="button"
              className="toast-action"
              onClick={() => {
                dismiss(id)
                action.run()
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" aria-label={t('关闭')} onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </section>
  )
}
