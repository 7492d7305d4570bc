-- Sound in the input of text, and images that others are made from, may have a rate.
alter table price_version drop constraint price_version_other_rates;
alter table price_version add constraint price_version_other_rates check (case
    when jsonb_typeof(other_rates) <> 'array' then false
    else jsonb_array_length(other_rates) <= 62
      and not jsonb_path_exists(other_rates, 'strict $[*] ? (@.type() != "object")')
      and not jsonb_path_exists(other_rates, '$[*].keyvalue() ? (!('
        '@.key == "unit" || @.key == "amount" || @.key == "size" || @.key == "quality"'
        ' || @.key == "resolution" || @.key == "audio" || @.key == "input_video"'
        ' || @.key == "tier"))')
      and not jsonb_path_exists(other_rates, '$[*] ? (!(@.unit.type() == "string" && ('
        '@.unit == "input_token" || @.unit == "cached_input_token" || @.unit == "cache_write_token"'
        ' || @.unit == "input_audio_token" || @.unit == "input_image"'
        ' || @.unit == "output_token" || @.unit == "reasoning_token" || @.unit == "audio_token"'
        ' || @.unit == "video_token" || @.unit == "image" || @.unit == "partial_image"'
        ' || @.unit == "second" || @.unit == "tool_call" || @.unit == "request")))')
      and not jsonb_path_exists(other_rates, '$[*] ? (!(@.amount.type() == "number"'
        ' && @.amount >= 0 && @.amount <= 1000000000000 && @.amount.floor() == @.amount))')
      and not jsonb_path_exists(other_rates, '$[*] ? ('
        '(exists(@.size) || exists(@.quality)) && @.unit != "image"'
        ' || (exists(@.resolution) || exists(@.audio) || exists(@.input_video))'
        ' && @.unit != "second" && @.unit != "video_token"'
        ' || exists(@.tier) && (@.unit == "image" || @.unit == "partial_image"'
        ' || @.unit == "input_image"'
        ' || @.unit == "tool_call" || @.unit == "request"))')
      -- Without a selector it is the rate of all tokens, which has a column of its own.
      and not jsonb_path_exists(other_rates, '$[*] ? ((@.unit == "input_token"'
        ' || @.unit == "output_token") && !exists(@.tier))')
      and not jsonb_path_exists(other_rates, '$[*] ? (@.unit == "video_token" && !('
        'exists(@.resolution) || exists(@.audio) || exists(@.input_video) || exists(@.tier)))')
      and not jsonb_path_exists(other_rates, '$[*] ? ('
        'exists(@.audio) && @.audio.type() != "boolean"'
        ' || exists(@.input_video) && @.input_video.type() != "boolean")')
      and not jsonb_path_exists(other_rates, '$[*].keyvalue() ? ('
        '@.key == "size" || @.key == "quality" || @.key == "resolution" || @.key == "tier").value'
        ' ? (!(@.type() == "string" && @ like_regex "^[0-9A-Za-z._:-]{1,40}$"))')
    end);
