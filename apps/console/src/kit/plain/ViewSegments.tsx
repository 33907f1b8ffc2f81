import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { Segments } from './Segments.tsx'

interface Props<V extends string> {
  readonly label: string
  /** The page's address; its first view stands there, the others as `?view=…`. */
  readonly path: string
  readonly options: readonly { readonly value: V; readonly label: ReactNode }[]
  readonly value: V
}

/** The views of a page, told apart by its address. */
export function ViewSegments<V extends string>({ label, path, options, value }: Props<V>): ReactNode {
  const navigate = useNavigate()
  const first = options[0]?.value
  return (
    <Segments<V>
      label={label}
      options={options}
      value={value}
      onChange={(next) => void navigate(next === first ? path : `${path}?view=${next}`)}
    />
  )
}
