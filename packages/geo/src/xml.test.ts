import { describe, expect, it } from 'vitest'
import { readXml } from './xml.ts'

describe('XML as KML needs it', () => {
  it('is elements, attributes, text and CDATA', () => {
    const text = `<?xml version="1.0"?><!-- by hand --><kml:Doc a="1" b = 'x &amp; &#20013;' >
      one <![CDATA[<two>]]><e/><f c="&quot;" />&lt;three&gt;</kml:Doc>`
    expect(readXml(text)).toMatchObject({
      children: [
        {
          name: 'Doc',
          attributes: { a: '1', b: 'x & 中' },
          text: expect.stringMatching(/^\s*one <two><three>$/) as string,
          children: [
            { name: 'e', attributes: {} },
            { name: 'f', attributes: { c: '"' } },
          ],
        },
      ],
    })
  })

  it.each([
    ['two roots', '<a/><b/>'],
    ['nothing', ' '],
    ['an end of another', '<a></b>'],
    ['an end too many', '<a/></a>'],
    ['no end', '<a><b></b>'],
    ['a stray bracket', '<a>1 < 2</a>'],
    ['an open comment', '<a><!-- </a>'],
    ['an open CDATA', '<a><![CDATA[ </a>'],
    ['an attribute without quotes', '<a b=c></a>'],
    ['an attribute without a value', '<a b></a>'],
    ['a document type', '<!DOCTYPE a><a/>'],
    ['an entity', '<a><!ENTITY b "c"></a>'],
    ['too many levels', `${'<a>'.repeat(70)}${'</a>'.repeat(70)}`],
  ])('is not %s', (_, text) => {
    expect(readXml(text)).toBeNull()
  })

  // Each of these takes minutes where anything is looked for again from every beginning.
  it.each([
    ['comments', '<!--'.repeat(500_000)],
    ['comments in an element', `<a>${'<!--'.repeat(500_000)}`],
    ['instructions', '<?'.repeat(1_000_000)],
    ['CDATA', `<a>${'<![CDATA['.repeat(200_000)}`],
    ['elements', '<a '.repeat(600_000)],
    ['elements without an end', '<'.repeat(2_000_000)],
    ['a name', `<${'a'.repeat(2_000_000)}`],
    ['an attribute', `<a ${'b'.repeat(2_000_000)}></a>`],
    ['attributes', `<a ${'b="'.repeat(600_001)}></a>`],
    ['equals', `<a ${'= '.repeat(900_000)}></a>`],
    ['entities', `<a>${'&'.repeat(1_900_000)}</a`],
    ['spaces', `<a${' '.repeat(1_900_000)}b></a>`],
  ])('is refused in one go where %s never end', (_, text) => {
    expect(readXml(text)).toBeNull()
  })
})
