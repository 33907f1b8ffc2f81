import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { adEndpoints } from '@saddle/contract/marketing/ads.ts'
import { choose, renderAt, sent, type, withForms } from '../forms.fixture.tsx'
import { NewAdForm } from './AdForm.tsx'

withForms((platform) => {
  platform.on(adEndpoints.adTargets, () => ({
    suc: true,
    data: { list: [{ page: 'help', id: 9, name: '雨天怎么骑' }] },
  }))
  platform.on(adEndpoints.saveAd, (input) => {
    sent.push(input)
    return { suc: true, data: { id: 1, version: 1 } }
  })
})

it('the form shows an ad in its slot, says what is missing and sends its content', async () => {
  renderAt('/marketing/ad-config', <NewAdForm of={null} onClose={() => {}} />)
  await screen.findByLabelText('名称骑行者看不到')
  await choose('广告位', '我的页')
  await screen.findAllByText('比例 4:1，宽度至少 600 像素')
  type('名称骑行者看不到', '学生认证')
  expect((await screen.findAllByText('请添加图片或填写文字')).length).toBeGreaterThan(0)
  type('文字选填', '认证享八折')
  expect(screen.getByText('认证享八折')).toBeTruthy()
  fireEvent.click(screen.getByLabelText('应用内页面'))
  expect(await screen.findByLabelText('打开的活动')).toBeTruthy()
  expect(screen.queryByLabelText('打开的文章')).toBeNull()
  await choose('页面', '帮助文章')
  await choose('打开的文章', '雨天怎么骑')
  expect(screen.getByText('帮助文章：雨天怎么骑')).toBeTruthy()
  fireEvent.click(screen.getByLabelText('网页'))
  type('网址', 'http://a.cn')
  expect((await screen.findAllByText('链接须以 https:// 开头')).length).toBeGreaterThan(0)
  type('网址', 'https://a.cn')
  type('每日开始选填', '22:00')
  expect((await screen.findAllByText('请填写每日开始与结束，或都留空')).length).toBeGreaterThan(0)
  type('每日结束选填', '06:00')
  fireEvent.click(screen.getByRole('button', { name: '保存为草稿' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({
    agentId: 3,
    slot: 'mine',
    content: {
      name: '学生认证',
      photoId: null,
      text: '认证享八折',
      link: { to: 'web', url: 'https://a.cn' },
      hours: { from: 1_320, to: 360 },
      weight: 10,
      riderDayCap: null,
      endsAt: null,
    },
  })
})
