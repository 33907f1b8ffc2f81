import type { ReactNode } from 'react'

/** Names and values beside each other; what is empty is left out. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }): ReactNode {
  return (
    <dl className="da-facts">
      {facts
        .filter(([, value]) => value !== '' && value !== null)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
