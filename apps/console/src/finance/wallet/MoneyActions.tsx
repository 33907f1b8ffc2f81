import { lazy, Suspense, useState, type ReactNode } from 'react'
import { loadChunk } from '#kit/chunk.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import type { MoneyAction } from './MoneyDialog.tsx'
import './money.css'

const MoneyDialog = lazy(() => loadChunk(() => import('./MoneyDialog.tsx')))

interface Props {
  /** The code that they need. */
  readonly permission: string
  readonly actions: readonly { readonly label: string; readonly action: MoneyAction }[]
  /** In a row of a table. */
  readonly look?: 'quiet'
}

/** Buttons for what can be done with a rider's money; each opens the dialog that asks for the rest. */
export function MoneyActions({ permission, actions, look }: Props): ReactNode {
  const [open, setOpen] = useState<MoneyAction | null>(null)
  return (
    <Permit action={permission}>
      {actions.map(({ label, action }) => (
        <Button key={action.kind} {...(look !== undefined && { look })} onClick={() => setOpen(action)}>
          {label}
        </Button>
      ))}
      {open !== null && (
        <Suspense fallback={null}>
          <MoneyDialog action={open} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </Permit>
  )
}
