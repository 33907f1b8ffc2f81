import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import './phone-frame.css'

interface Props {
  /** Accessible name; absent: the preview. */
  readonly label?: string
  /** The title of the page in the riders' application. */
  readonly title?: string
  /** The language of what it shows, where that is not the reader's. */
  readonly lang?: string
  readonly children: ReactNode
}

/** A page of the riders' application at the size of a phone. */
export function PhoneFrame({ label = t('预览'), title, lang, children }: Props): ReactNode {
  return (
    <figure className="phone-frame" aria-label={label} lang={lang}>
      <div className="phone-screen">
        {title !== undefined && <p className="phone-title">{title}</p>}
        {children}
      </div>
    </figure>
  )
}

/** A card on that page: its title, lines below it, and what stands at its side. */
export function PhoneCard({
  title,
  lines,
  aside,
}: {
  readonly title: ReactNode
  readonly lines: readonly string[]
  readonly aside?: ReactNode
}): ReactNode {
  return (
    <section className="phone-card">
      <div>
        <strong>{title}</strong>
        {lines.map((line) => (
          <small key={line}>{line}</small>
        ))}
      </div>
      {aside !== undefined && <b>{aside}</b>}
    </section>
  )
}
