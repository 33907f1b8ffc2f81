import type { ReactNode } from 'react'
import './phoneFrame.css'

interface Props {
  /** The title of the page in the riders' application. */
  readonly title: string
  readonly children: ReactNode
}

/** A page of the riders' application at the size of a phone. */
export function PhoneFrame({ title, children }: Props): ReactNode {
  return (
    <figure className="phone-frame">
      <div className="phone-screen">
        <p className="phone-title">{title}</p>
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
