import {
  ModelAnswerInvalidError,
  ModelNotConfiguredError,
  ModelRefusedError,
  ModelUnavailableError,
} from '../memory/language-model.ts';
import { builder } from './builder.ts';
import { FailureRef } from './errors.ts';

builder.objectType(ModelNotConfiguredError, {
  name: 'ModelNotConfigured',
  description: 'There is no language model to ask. Nothing else needs one.',
  interfaces: [FailureRef],
});

builder.objectType(ModelUnavailableError, {
  name: 'ModelUnavailable',
  description: 'The language model does not answer now.',
  interfaces: [FailureRef],
});

builder.objectType(ModelRefusedError, {
  name: 'ModelRefused',
  description: 'The endpoint of the language model does not take the request.',
  interfaces: [FailureRef],
});

builder.objectType(ModelAnswerInvalidError, {
  name: 'ModelAnswerInvalid',
  description: 'The language model answered something else than was asked for.',
  interfaces: [FailureRef],
});
