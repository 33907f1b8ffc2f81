import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { Checks, isWholeChecked, listOfChecked, type Checked } from './Checks.tsx'

afterEach(cleanup)

function Form() {
  const [value, setValue] = useState<Checked>({})
  return (
    <>
      <Checks kind="move" value={value} onChange={setValue} />
      <output>{JSON.stringify(listOfChecked(value))}</output>
      <p>{isWholeChecked('move', value) ? 'whole' : 'part'}</p>
    </>
  )
}

const given = () => JSON.parse(screen.getByRole('status').textContent ?? '') as unknown
const answer = (check: string, name: '是' | '否') =>
  fireEvent.click(within(screen.getByRole('group', { name: check })).getByRole('button', { name }))

it('keeps what was found wrong when the rest is said to be in order', () => {
  render(<Form />)
  expect(screen.getAllByRole('group').map((each) => each.getAttribute('aria-label'))).toEqual([
    '停在停车点内',
    '没有占道',
    '车锁已关',
  ])
  answer('没有占道', '否')
  expect(given()).toEqual([{ check: 'way_clear', isFine: false }])
  expect(screen.getByText('part')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '其余都正常' }))
  expect(given()).toEqual([
    { check: 'within_marks', isFine: true },
    { check: 'way_clear', isFine: false },
    { check: 'lock_closed', isFine: true },
  ])
  expect(screen.getByText('whole')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '其余都正常' }), 'nothing is left to be said').toBeNull()
  answer('没有占道', '是')
  expect(given()).toContainEqual({ check: 'way_clear', isFine: true })
})
