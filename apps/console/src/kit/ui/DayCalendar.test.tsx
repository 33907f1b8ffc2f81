import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import DayCalendar from './DayCalendar.tsx'

test('Enter in the field takes the moment that was typed and does not send the form around it', async () => {
  const chosen = vi.fn<(day: string) => void>()
  const sent = vi.fn<() => void>()
  render(
    <form onSubmit={sent}>
      <DayCalendar label="生效时间" value="" onChange={chosen} withTime />
      <button type="submit">发布</button>
    </form>,
  )
  await userEvent.type(screen.getByLabelText('生效时间'), '2026-12-01 06:00{Enter}')
  expect(chosen).toHaveBeenLastCalledWith('2026-12-01 06:00')
  expect(sent).not.toHaveBeenCalled()
})
