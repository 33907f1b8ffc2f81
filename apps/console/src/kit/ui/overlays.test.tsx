import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Popover } from './Popover.tsx'
import { Sheet } from './Sheet.tsx'

afterEach(cleanup)

describe('a popover', () => {
  const open = async () => {
    render(
      <>
        <Popover label="筛选" face="更多">
          {(close) => (
            <>
              <input aria-label="名称" />
              <button type="button" onClick={close}>
                完成
              </button>
            </>
          )}
        </Popover>
        <p>别处</p>
      </>,
    )
    await userEvent.click(screen.getByRole('button', { name: '更多' }))
    return screen.getByRole('dialog', { name: '筛选' })
  }

  it('takes the focus to its first control and names what it opens', async () => {
    const panel = await open()
    expect(document.activeElement).toBe(screen.getByLabelText('名称'))
    const button = screen.getByRole('button', { name: '更多' })
    expect(button.getAttribute('aria-expanded')).toBe('true')
    expect(button.getAttribute('aria-controls')).toBe(panel.id)
  })

  it('closes on Esc and gives the focus back', async () => {
    await open()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: '更多' }))
  })

  it('closes on a press beside it, and from within', async () => {
    await open()
    await userEvent.click(screen.getByLabelText('名称'))
    expect(screen.queryByRole('dialog')).not.toBeNull()
    await userEvent.click(screen.getByText('别处'))
    expect(screen.queryByRole('dialog')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '更多' }))
    await userEvent.click(screen.getByRole('button', { name: '完成' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('a sheet', () => {
  it('takes the focus, keeps it, and gives it back', async () => {
    const onClose = vi.fn<() => void>()
    const Page = ({ isOpen }: { isOpen: boolean }) => (
      <>
        <button type="button">打开</button>
        {isOpen && (
          <Sheet label="详情" onClose={onClose} foot={<button type="button">通过</button>}>
            内容
          </Sheet>
        )}
      </>
    )
    const { rerender } = render(<Page isOpen={false} />)
    screen.getByRole('button', { name: '打开' }).focus()
    rerender(<Page isOpen />)
    const panel = screen.getByRole('dialog', { name: '详情' })
    expect(document.activeElement).toBe(panel)
    for (let press = 0; press < 5; press += 1) {
      await userEvent.tab()
      expect(panel.contains(document.activeElement)).toBe(true)
    }
    await userEvent.keyboard('{Escape}')
    expect(onClose).toHaveBeenCalledOnce()
    rerender(<Page isOpen={false} />)
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: '打开' })))
  })

  it('leaves Esc to what is open within it', async () => {
    const onClose = vi.fn<() => void>()
    render(
      <Sheet label="详情" onClose={onClose}>
        <Popover label="选项" face="更多">
          {() => <input aria-label="名称" />}
        </Popover>
      </Sheet>,
    )
    await userEvent.click(screen.getByRole('button', { name: '更多' }))
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog', { name: '选项' })).toBeNull()
    expect(onClose).not.toHaveBeenCalled()
  })
})
