import { describe, expect, it } from 'vitest'
import { helpContentSchema } from './help.ts'
import { isSafeLink, parseHelpText, picturesOf, plainHelpText, unsafeLinkOf } from './helpText.ts'

const id = '0192f0c1-2b3c-4d5e-8f60-718293a4b5c6'

describe('the text of a help article', () => {
  it('has headings, paragraphs, lists, bold text, links and pictures', () => {
    const text = `## 怎么还车\n停进**停车点**，\n再关锁。\n\n1. 停好\n2. 关锁\n- 拨打[客服](tel:4001234567)\n![停车](photo:${id})\n后文`
    expect(parseHelpText(text)).toEqual([
      { kind: 'heading', spans: [{ kind: 'text', text: '怎么还车' }] },
      {
        kind: 'paragraph',
        spans: [
          { kind: 'text', text: '停进' },
          { kind: 'bold', text: '停车点' },
          { kind: 'text', text: '， 再关锁。' },
        ],
      },
      {
        kind: 'list',
        isOrdered: true,
        items: [[{ kind: 'text', text: '停好' }], [{ kind: 'text', text: '关锁' }]],
      },
      {
        kind: 'list',
        isOrdered: false,
        items: [
          [
            { kind: 'text', text: '拨打' },
            { kind: 'link', text: '客服', href: 'tel:4001234567' },
          ],
        ],
      },
      { kind: 'picture', photoId: id, alt: '停车' },
      { kind: 'paragraph', spans: [{ kind: 'text', text: '后文' }] },
    ])
    expect(picturesOf(`${text}\n![again](photo:${id})`)).toEqual([id])
    expect(plainHelpText(text)).toBe('怎么还车 停进停车点， 再关锁。 停好 关锁 拨打客服 后文')
  })

  it('is no HTML, and follows no other links', () => {
    const text = '<script>alert(1)</script> [x](javascript:alert(1)) [y](http://a.cn) ![z](https://a.cn/p.png)'
    const [block, ...others] = parseHelpText(text)
    expect(others).toEqual([])
    expect(block).toMatchObject({ kind: 'paragraph' })
    expect(JSON.stringify(block)).not.toContain('href":"javascript')
    expect(JSON.stringify(block)).not.toContain('href":"http:')
    for (const href of ['javascript:alert(1)', 'http://a.cn', 'data:text/html,x', '//a.cn', 'https://a b', 'tel:abc']) {
      expect(isSafeLink(href), href).toBe(false)
    }
    for (const href of ['https://a.cn', 'https://a.cn/b?c=1#d', 'tel:400-123-4567', 'tel:+8613900000000']) {
      expect(isSafeLink(href), href).toBe(true)
    }
    expect(unsafeLinkOf('[y](http://a.cn)')).toBe('http://a.cn')
    expect(unsafeLinkOf(`[y](https://a.cn) ![z](photo:${id})`)).toBeNull()
  })

  it('is bounded', () => {
    expect(parseHelpText('a\n\n'.repeat(3_000))).toHaveLength(200)
  })
})

describe('the content of an article', () => {
  const content = { category: 'start', title: '标题', body: '正文' }
  const isTaken = (part: object): boolean => helpContentSchema.safeParse({ ...content, ...part }).success

  it('needs Chinese, and English as a whole or not at all', () => {
    expect(isTaken({})).toBe(true)
    expect(isTaken({ titleEn: 'Title' })).toBe(false)
    expect(isTaken({ titleEn: 'Title', bodyEn: 'Text' })).toBe(true)
    expect(isTaken({ body: '' })).toBe(false)
  })

  it('takes no link that riders could not open, and eight pictures at most', () => {
    expect(isTaken({ body: '[y](http://a.cn)' })).toBe(false)
    const pictures = Array.from({ length: 9 }, (_, n) => `![p](photo:${id.slice(0, -1)}${n})`).join('\n')
    expect(isTaken({ body: pictures })).toBe(false)
  })
})
