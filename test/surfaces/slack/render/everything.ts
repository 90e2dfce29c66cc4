import {
  editedNotice,
  errorNotice,
  foldedNotice,
  noticeLooks,
} from '../../../../src/surfaces/chat/notices.ts';
import { receivedNotice } from '../../../../src/surfaces/chat/progress.ts';
import { studyFromSetForm } from '../../../../src/surfaces/desks/manage-desk.ts';
import { knownAnswerForm, rulingForm } from '../../../../src/surfaces/forms/corrections.ts';
import { askMessage, cardMessage, sharedMessage } from '../../../../src/surfaces/slack/render/card.ts';
import { blindCaseView, blindMessage, detailsView } from '../../../../src/surfaces/slack/render/details.ts';
import { digestMessage, textStyle } from '../../../../src/surfaces/slack/render/digest.ts';
import { formView, forms as kinds } from '../../../../src/surfaces/slack/render/form.ts';
import {
  casesView,
  homeView,
  queueMessage,
  summaryMessage,
} from '../../../../src/surfaces/slack/render/lists.ts';
import { manageView } from '../../../../src/surfaces/slack/render/manage.ts';
import {
  errorMessage,
  noticeMessage,
  welcomeMessage,
} from '../../../../src/surfaces/slack/render/notices.ts';
import {
  studyCaseView,
  studyDone,
  studyMessage,
  studyNotice,
  studyView,
} from '../../../../src/surfaces/slack/render/study.ts';

import { wholeView } from '../../../../src/surfaces/slack/reviews.ts';
import type { Language } from '../../../../src/words/language.ts';
import { everythingWith, LINK } from '../../../support/everything-shown.ts';

/** Everything that Slack is shown, with one text in all places at once. */
export function everythingOf(text: string, language: Language = 'en') {
  const looks = noticeLooks(noticeMessage, language);
  const { record, scored, inputs, input, texts, lines, queue, standard, vote, progress, ...more } =
    everythingWith(text, language);
  const {
    listed,
    open,
    study,
    shown,
    forms,
    digest,
    unclear,
    unsure,
    reading,
    answers,
    reviews,
    wholeReview,
  } = more;
  const metadata = { study: 's1', at: study.at, place: 1, opened: 1, message: null };
  return {
    messages: [
      digestMessage(digest, textStyle, language),
      ...inputs.map((one) => cardMessage(one)),
      sharedMessage(input, text, LINK),
      summaryMessage('k1', lines, language),
      blindMessage(record, standard, language),
      blindMessage(scored, standard, language),
      queueMessage(queue),
      looks.hiddenProgress(progress),
      looks.unclear(unclear),
      looks.unsure({
        draftId: 'slack:T1:C1:1.1',
        why: text.slice(0, 200),
        choices: Array(3).fill(Array(30).fill({ as: 'system', text })),
        leftOut: Array(198).fill(text),
      }),
      looks.unsureLines(unsure),
      looks.readByModel(reading),
      errorMessage(text),
      noticeMessage(errorNotice(text, { tryAgain: 'k1' }, language)),
      noticeMessage(foldedNotice(LINK, language)),
      looks.progress(progress),
      welcomeMessage(language),
      looks.unreadable(true),
      looks.unreadable(false),
      noticeMessage(editedNotice('k1', true, language)),
      askMessage('v1', language),
      ...answers.map((answer) => looks.answer(answer, texts)),
      looks.budget({ limitUsd: 5 }),
      noticeMessage(receivedNotice('k1', language)),
      ...[0, 1, 2].map((done) => studyMessage(study, { done, total: 2 }, language)),
      studyMessage({ ...study, closed: true }, { done: 1, total: 2 }, language),
      ...reviews.map(noticeMessage),
    ],
    views: [
      studyView({
        study,
        index: 0,
        shown,
        about: metadata,
        done: 1,
        guide: false,
        language,
        answers: { errors: ['e'], comment: text.slice(0, 3000) },
      }),
      studyView({
        study,
        index: 0,
        shown,
        about: { ...metadata, place: 0 },
        done: 0,
        guide: true,
        language,
        answers: {},
      }),
      ...[0, 1].map((page) => studyCaseView(study, shown, { place: 0, page }, language)),
      studyDone(study, metadata, language),
      studyNotice(text.slice(0, 2000), language),
      ...inputs.map((one) => detailsView(one)),
      detailsView(input, 1),
      detailsView(input, 0, null, 'card', true),
      manageView(
        {
          record,
          offers: ['rule', 'known-answer', 'add-to-set', 'start-study'],
          issue: LINK,
          message: { text, parts: [{ kind: 'note', text }], buttons: [] },
        },
        language,
      ),
      formView(kinds.rule, { verdict: 'v1' }, rulingForm(record.verdict, null, null, language)),
      formView(kinds['known-answer'], { verdict: 'v1' }, knownAnswerForm(record.verdict, null, language)),
      formView(kinds['start-study'], { verdict: 'v1' }, studyFromSetForm([text.slice(0, 60)], language)),
      detailsView(input, 0, vote),
      ...[0, 1].map((page) => wholeView(wholeReview, page, language)),
      casesView(lines, language),
      blindCaseView(record, standard, language),
      blindCaseView(scored, standard, language, 1),
      formView(kinds.ask, { draft: 'd1' }, forms.ask),
      formView(kinds.correction, { verdict: 'v1' }, forms.correction),
      formView(kinds.settings, { channel: 'C1' }, forms.settings),
      formView(kinds.set, { verdict: 'v1' }, forms.set),
      formView(kinds.set, { verdict: 'v1' }, forms.sets),
      formView(
        kinds.schedule,
        { channel: 'C1', channelName: null, team: 'T1', timezone: 'UTC' },
        forms.schedule,
      ),
      homeView(
        {
          recent: Array(40).fill(listed),
          needVotes: [...Array(5).fill(open), ...Array(5).fill({ ...listed, id: 'v3', kind: 'hidden' })],
          lookedAt: { most: 200, isCut: false },
          own: { right: 4, of: 5 },
          agreement: { agreed: 1, n: 30 },
          settings: { wish: { models: [text] } },
          language,
        },
        { rubrics: new Map(), methods: new Map(), personas: new Map() },
      ),
    ],
  };
}
