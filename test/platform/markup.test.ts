// @module-tag node

import { expect, it } from 'vitest'
import { escapeMarkup } from '../../src/platform/markup.ts'

it('Escaped markup has no character left that means something in content or attributes', () => {
  expect(escapeMarkup(`<a title="R&D" lang='en'>`)).toBe('&lt;a title=&quot;R&amp;D&quot; lang=&#39;en&#39;&gt;')
})
