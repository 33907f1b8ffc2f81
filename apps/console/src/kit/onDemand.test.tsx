import { render, screen, waitFor } from '@testing-library/react'
import type { ComponentType } from 'react'
import { expect, test, vi } from 'vitest'
import { notify } from './notify.ts'
import { onDemand } from './onDemand.tsx'

interface Props {
  readonly onClose: () => void
}

test('tells when it cannot be fetched, counts as closed, and is fetched anew the next time', async () => {
  const told = vi.spyOn(notify, 'error').mockImplementation(() => {})
  const load = vi
    .fn<() => Promise<{ default: ComponentType<Props> }>>()
    .mockRejectedValueOnce(new TypeError('offline'))
    .mockImplementation(async () => ({ default: () => <p>dialog</p> }))
  const Dialog = onDemand<Props>(load, (props) => props.onClose())
  const onClose = vi.fn<() => void>()
  const first = render(<Dialog onClose={onClose} />)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(told).toHaveBeenCalledWith({ title: '错误', text: '网络出现问题，请稍后再试' })
  first.unmount()
  render(<Dialog onClose={onClose} />)
  expect(await screen.findByText('dialog')).toBeTruthy()
  expect(onClose).toHaveBeenCalledOnce()
})
