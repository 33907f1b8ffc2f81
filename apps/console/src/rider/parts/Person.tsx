import type { ReactNode } from 'react'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import './rider.css'

interface Props {
  readonly riderId: number
  readonly phone: string
  readonly name: string | null
}

/** Who it is, as far as everybody may know, and the way to all about them. */
export function Person({ riderId, phone, name }: Props): ReactNode {
  return (
    <RiderLink riderId={riderId}>
      <span className="rider-person">{name === null ? phone : `${name} ${phone}`}</span>
    </RiderLink>
  )
}
