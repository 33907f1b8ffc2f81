import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ChoicePanel, NumbersPanel, type Choice } from './panels.tsx'

afterEach(cleanup)

describe('choices of a condition', () => {
  const choices: readonly Choice[] = Array.from({ length: 10 }, (_, at) => ({ value: at, label: `服务区 ${at}` }))

  it('keeps several in the order of the choices', async () => {
    const onChange = vi.fn<(value: readonly Choice['value'][]) => void>()
    render(<ChoicePanel title="服务区" choices={choices} value={[4]} isMany onChange={onChange} />)
    await userEvent.click(screen.getByLabelText('服务区 2'))
    expect(onChange).toHaveBeenLastCalledWith([2, 4])
    await userEvent.click(screen.getByLabelText('服务区 4'))
    expect(onChange).toHaveBeenLastCalledWith([])
    await userEvent.click(screen.getByRole('button', { name: '全选' }))
    expect(onChange).toHaveBeenLastCalledWith(choices.map(({ value }) => value))
    await userEvent.click(screen.getByRole('button', { name: '不限' }))
    expect(onChange).toHaveBeenLastCalledWith([])
  })

  it('can be searched where there are many, and says that there is none', async () => {
    const { rerender } = render(<ChoicePanel title="服务区" choices={choices} value={[]} isMany onChange={() => {}} />)
    await userEvent.type(screen.getByLabelText('查找'), ' 区 7 ')
    expect(screen.getAllByRole('checkbox')).toHaveLength(1)
    await userEvent.type(screen.getByLabelText('查找'), '7')
    expect(screen.getByText('没有找到')).toBeTruthy()
    rerender(<ChoicePanel title="服务区" choices={choices.slice(0, 3)} value={[]} isMany onChange={() => {}} />)
    expect(screen.queryByLabelText('查找')).toBeNull()
  })

  it('takes one of several, and none', async () => {
    const onChange = vi.fn<(value: readonly Choice['value'][]) => void>()
    render(<ChoicePanel title="状态" choices={choices.slice(0, 3)} value={[1]} onChange={onChange} />)
    await userEvent.click(screen.getByRole('radio', { name: '服务区 2' }))
    expect(onChange).toHaveBeenLastCalledWith([2])
    await userEvent.click(screen.getByRole('button', { name: '不限' }))
    expect(onChange).toHaveBeenLastCalledWith([])
  })
})

describe('numbers of a condition', () => {
  const onChange = vi.fn<(from: number | undefined, to: number | undefined) => void>()
  const show = (isInclusive = false) =>
    render(
      <NumbersPanel
        title="电量"
        from={undefined}
        to={undefined}
        labels={['从', '到']}
        limits={[0, 100]}
        isInclusive={isInclusive}
        onChange={onChange}
      />,
    )
  const fill = async (from: string, to: string) => {
    for (const [label, value] of [
      ['从', from],
      ['到', to],
    ] as const) {
      await userEvent.clear(screen.getByLabelText(label))
      if (value !== '') await userEvent.type(screen.getByLabelText(label), value)
    }
  }
  const faultText = (): string | undefined => screen.queryByRole('alert')?.textContent ?? undefined

  it('says what is wrong with them', async () => {
    show()
    await fill('x', '')
    expect(faultText()).toBe('请填写数字')
    await fill('10', '101')
    expect(faultText()).toBe('请填写 0 到 100 的数字')
    await fill('10', '10')
    expect(faultText()).toBe('下限要小于上限')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '确定' }).disabled).toBe(true)
  })

  it('gives both, one, or none', async () => {
    show(true)
    await fill('10', '10')
    await userEvent.click(screen.getByRole('button', { name: '确定' }))
    expect(onChange).toHaveBeenLastCalledWith(10, 10)
    await fill('', '20.5')
    await userEvent.keyboard('{Enter}')
    expect(onChange).toHaveBeenLastCalledWith(undefined, 20.5)
    await userEvent.click(screen.getByRole('button', { name: '不限' }))
    expect(onChange).toHaveBeenLastCalledWith(undefined, undefined)
  })
})
