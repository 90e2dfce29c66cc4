/** Text that breaks out of where it is put, unless it is escaped there. `§` is where it runs `hit(…)`. */
const PAYLOADS = [
  '<script>§</script>',
  '<ScRiPt >§</sCrIpT >',
  '<script src="data:text/javascript,§"></script>',
  '<script type="application/json">{"a":1}</script><script>§</script>',
  '<img src=x onerror=§>',
  '<img src=x onerror="§">',
  '<img/src=x/onerror=§>',
  '<img src="http://evil.example/p.png" onload=§ onerror=§>',
  '<svg onload=§>',
  '<svg/onload=§>',
  '<svg><script>§</script></svg>',
  '<svg><animate onbegin=§ attributeName=x dur=1s></svg>',
  '<svg><style><img src=x onerror=§></style></svg>',
  '<svg><foreignObject><img src=x onerror=§></foreignObject></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=§></style></mglyph></table></mtext></math>',
  '<body onload=§>',
  '<html onmouseover=§>',
  '<iframe srcdoc="<script>parent.§</script>"></iframe>',
  '<iframe src="javascript:parent.§"></iframe>',
  '<object data="javascript:§"></object>',
  '<embed src="javascript:§">',
  '<details open ontoggle=§>x</details>',
  '<video><source onerror=§></video>',
  '<audio src=x onerror=§></audio>',
  '<input autofocus onfocus=§>',
  '<select autofocus onfocus=§></select>',
  '<textarea autofocus onfocus=§></textarea>',
  '<marquee onstart=§>x</marquee>',
  '<a href="javascript:§">x</a>',
  '<a href=" jav\tascript:§">x</a>',
  '[x](javascript:§)',
  '![x](http://evil.example/p.png "onerror=§")',
  'javascript:§',
  'data:text/html,<script>§</script>',
  '<form action="javascript:§"><button autofocus>x</button></form>',
  '<base href="http://evil.example/">',
  '<link rel=stylesheet href="http://evil.example/s.css">',
  '<meta http-equiv=refresh content="0;url=http://evil.example/">',
  '<style>@import "http://evil.example/s.css";</style>',
  '<style>*{background:url(http://evil.example/c.png)}</style>',
  '<p style="background:url(http://evil.example/c.png)">x</p>',
  '</style><img src=x onerror=§>',
  'expression(§)',
  '" onmouseover="§" x="',
  "' onfocus='§' autofocus x='",
  '` onclick=`§` x=`',
  ' onpointerenter=§ ',
  '"}]}</script><script>§</script>',
  '{"__proto__":{"innerHTML":"<img src=x onerror=§>"},"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=§>"}}',
  '{{constructor.constructor("§")()}}',
  '\u0024{§}',
  '#{§}',
  '<%= § %>',
  '{%raw%}<script>§</script>{%endraw%}',
  '<template><script>§</script></template><slot onslotchange=§>',
  '<noscript><p title="</noscript><img src=x onerror=§>"></noscript>',
  '<xmp><p title="</xmp><img src=x onerror=§>">',
  '<plaintext>',
  '<table><tr><td></table><img src=x onerror=§>',
  '&lt;img src=x onerror=§&gt;',
  '&#60;img src=x onerror=§&#62;',
  '%3Cimg%20src=x%20onerror=§%3E',
  '\\u003cimg src=x onerror=§\\u003e',
  '\u202e<img src=x onerror=§>\u202c',
  '<img\u2028src=x\u2029onerror=§>',
  '<<img src=x onerror=§>',
  '\uff1cimg src=x onerror=§\uff1e',
  '<\u200bimg src=x onerror=§>',
];

/** What ends the element, attribute or comment that it stands in. */
const OPENINGS = [
  '',
  '">',
  "'>",
  '-->',
  '<!--',
  '</textarea>',
  '</title></head>',
  '</script>',
  '</pre></div></td></tr></table>',
  '</button></p></article></main>',
  '</option></select>',
  ']]>',
  '\\"',
  '\n\n\t',
];

/** How it is written. */
const WRITTEN: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase().replaceAll(/HIT\((\d+)\)/g, 'hit($1)'),
  (text) => text.replaceAll('<', '\u00a0<').replaceAll('>', '>\n'),
  (text) => `${text}${text}`,
  (text) => `x${text}y`,
  (text) => text.replaceAll('=', ' =\n'),
  (text) => `“${text}” <!-- ${text} -->`,
  (text) => text.replaceAll('&', '&amp;').replaceAll(/(?<!&)\bon/g, '&#111;n'),
  (text) => `<b>${text}</b>`,
  (text) => `${text}\u0301\ud83d\ude08`,
  (text) => `\ufeff${text}\u2028`,
];

/** @returns so many hostile texts, no two alike; each calls `hit` with its number where it runs */
export function hostilePastes(count: number): string[] {
  const all = new Set<string>();
  for (const written of WRITTEN)
    for (const opening of OPENINGS)
      for (const payload of PAYLOADS) {
        if (all.size === count) return [...all];
        all.add(written(`${opening}${payload.replaceAll('§', `hit(${all.size})`)}`));
      }
  throw new Error(`there are only ${all.size} hostile texts`);
}
