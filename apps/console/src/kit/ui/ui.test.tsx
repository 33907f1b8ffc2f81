import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { minuteMs } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { ApiError } from '#kit/api/client.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import { Ago } from './Ago.tsx'
import { Permit } from './Permit.tsx'
import { StaleNote } from './StaleNote.tsx'
import { ErrorState } from './states.tsx'
import { Throttled } from './Throttled.tsx'

afterEach(() => {
  vi.useRealTimers()
  cleanup()
})

describe('Permit', () => {
  test.each([
    ['03', true],
    ['99', false],
    ['03,0301', true],
    ['03,99', false],
    ['99||0301', true],
    ['98||99', false],
    ['', false],
  ])('%j with 03 and 0301 held: %s', (action, shown) => {
    overridePermissions(['03', '0301'])
    render(<Permit action={action}>内容</Permit>)
    expect(screen.queryByText('内容') !== null).toBe(shown)
  })

  test('goes with the permission', () => {
    overridePermissions(['03'])
    render(<Permit action="03">内容</Permit>)
    act(() => overridePermissions([]))
    expect(screen.queryByText('内容')).toBeNull()
  })
})

test('how long ago something was keeps its moment, with date and seconds', () => {
  render(<Ago at={serverNow() - 3 * minuteMs} />)
  expect(screen.getByText('3 分钟前').title).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  cleanup()
  expect(render(<Ago at={null} />).container.textContent).toBe('--')
})

describe('ErrorState', () => {
  test('a missing thing stands under the specification’s heading with its text', () => {
    render(<ErrorState error={new ApiError({ code: 'not_found', status: 404 })} />)
    expect(screen.getByRole('alert').textContent).toBe('错误请求错误，未找到该资源')
  })

  test('a missing thing with words of its own keeps them', () => {
    render(<ErrorState error={new ApiError({ code: 'vehicle_not_found', status: 404, promot: '没有找到这辆车' })} />)
    expect(screen.getByRole('alert').textContent).toBe('错误没有找到这辆车')
  })

  test('other failures are told as a page that did not load', () => {
    render(<ErrorState error={new ApiError({ code: 'server_error', status: 500 })} />)
    expect(screen.getByRole('alert').textContent).toBe('加载失败服务器开小差了，请稍后再试')
  })
})

describe('Throttled', () => {
  test('lets one click through in 1000 ms and turns pointer events off meanwhile', () => {
    vi.useFakeTimers()
    const click = vi.fn(() => {})
    render(<Throttled onClick={click}>开锁</Throttled>)
    const button = screen.getByRole('button')
    fireEvent.click(button)
    fireEvent.click(button)
    expect(click).toHaveBeenCalledOnce()
    expect(button.style.pointerEvents).toBe('none')
    vi.advanceTimersByTime(999)
    fireEvent.click(button)
    expect(click).toHaveBeenCalledOnce()
    vi.advanceTimersByTime(1)
    expect(button.style.pointerEvents).toBe('')
    fireEvent.click(button)
    expect(click).toHaveBeenCalledTimes(2)
  })

  test('takes another time', () => {
    vi.useFakeTimers()
    const click = vi.fn(() => {})
    render(
      <Throttled waitMs={200} onClick={click}>
        开锁
      </Throttled>,
    )
    fireEvent.click(screen.getByRole('button'))
    vi.advanceTimersByTime(200)
    fireEvent.click(screen.getByRole('button'))
    expect(click).toHaveBeenCalledTimes(2)
  })
})

describe('the note that figures may be old', () => {
  const failed = new ApiError({ code: 'server_error', status: 500 })

  test('stands while something is shown that could not be read again, and tries again', () => {
    const refetch = vi.fn<() => void>()
    render(<StaleNote reading={{ data: {}, error: failed, refetch }} />)
    expect(screen.getByRole('alert').textContent).toContain('刷新失败，以下内容可能不是最新')
    fireEvent.click(screen.getByRole('button', { name: '重试' }))
    expect(refetch).toHaveBeenCalledOnce()
  })

  test.each([
    ['of nothing', undefined, failed],
    ['of what is fresh', {}, null],
  ])('does not stand beside figures %s', (_, data, error) => {
    render(<StaleNote reading={{ data, error, refetch: vi.fn<() => void>() }} />)
    expect(screen.queryByRole('alert')).toBeNull()
  })
})
